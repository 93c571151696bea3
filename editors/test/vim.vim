" Drives the language server from Vim 9 with yegappan/lsp without a person. Vim needs an input that stays open:
"   sleep 60 | LSP=folder-of-the-plugin LOG=steps SPLC=splc vim -u NONE -i NONE -N -n --not-a-term -S vim.vim
" It ends with an error if a step fails, and writes its steps to $LOG.

set nocompatible hidden nomore shortmess+=A
filetype plugin on
syntax on
let s:here = expand('<sfile>:p:h')
execute 'set runtimepath^=' .. fnameescape($LSP) .. ',' .. fnameescape(s:here .. '/../vim')
runtime! ftdetect/*.vim
runtime plugin/lsp.vim
let s:folder = tempname()
call mkdir(s:folder, 'p')
let s:log = []
let s:failed = 0

function s:Step(name, ok, found = '') abort
  call add(s:log, (a:ok ? 'ok    ' : 'FAIL  ') .. a:name)
  call writefile(s:log, $LOG)
  if !a:ok
    let s:failed += 1
    call add(s:log, '      found: ' .. string(a:found))
  endif
endfunction

function s:Wait(Condition) abort
  for l:turn in range(500)
    if a:Condition()
      return 1
    endif
    sleep 20m
  endfor
  return 0
endfunction

function s:Diagnostics() abort
  silent! LspDiag show
  let l:found = getloclist(0)
  silent! lclose
  return l:found
endfunction

function s:Text() abort
  return join(getline(1, '$'), "\n")
endfunction

function s:Popups() abort
  return join(map(popup_list(), 'join(getbufline(winbufnr(v:val), 1, "$"), "\n")'), "\n")
endfunction

function s:Main() abort
  try
    call LspOptionsSet({'autoComplete': v:false, 'usePopupInCodeAction': v:false, 'ignoreMissingServer': v:false})
    call LspAddServer([{'name': 'splc', 'filetype': ['nethackdes'], 'path': $SPLC, 'args': ['server']}])
    call writefile(['LEVEL: "yard"', 'GEOMETRY: center, center', 'MAP', '-----', '|...|', '|..L|', '-----', 'ENDMAP',
          \ "$beast = monster: { 'o', 'k' }", 'MONSTER: $beast[0], (2,1)', 'TRAP: "pti", (1,2)', 'IF[50%]{',
          \ 'STAIR: (2,2), up', '}'], s:folder .. '/yard.des')
    execute 'edit ' .. fnameescape(s:folder .. '/yard.des')
    call s:Step('the file type is found', &filetype ==# 'nethackdes', &filetype)
    call s:Step('a statement is highlighted', synIDattr(synID(1, 1, 1), 'name') =~# 'Statement\|Keyword', synIDattr(synID(1, 1, 1), 'name'))
    call s:Wait({-> LspServerRunning('nethackdes')})
  call s:Step('the server runs', LspServerRunning('nethackdes'), [v:errmsg, execute('messages')])
  call s:Wait({-> !empty(s:Diagnostics())})
    call s:Step('diagnostics appear', !empty(s:Diagnostics()), s:Diagnostics())

    call cursor(11, 8)
    LspCodeAction /Change.*pit
    call s:Wait({-> s:Text() =~# 'TRAP: "pit"'})
    call s:Step('a fix is applied', s:Text() =~# 'TRAP: "pit", (1,2)', s:Text())

    call cursor(6, 4)
    LspHover
    call s:Wait({-> s:Popups() =~# 'lava'})
    call s:Step('hover describes a square', s:Popups() =~# 'lava', s:Popups())
    call popup_clear(1)

    call cursor(10, 12)
    LspGotoDefinition
    call s:Wait({-> line('.') == 9})
    call s:Step('definition jumps', line('.') == 9, line('.'))

    call cursor(10, 12)
    LspRename guest
    call s:Wait({-> s:Text() =~# '$guest = '})
    call s:Step('a rename', s:Text() =~# '$guest = ' && s:Text() =~# 'MONSTER: $guest\[0\]', s:Text())

    LspFormat
    call s:Wait({-> s:Text() =~# 'IF \[50%\] {'})
    call s:Step('formatting', s:Text() =~# "IF \\[50%\\] {\n  STAIR: (2,2), up", s:Text())

    call append(11, 'TRAP: "spi')
    call cursor(12, 11)
    " The first call asks, the second returns the answer.
    let s:start = g:LspOmniFunc(1, '')
    let s:found = []
    call s:Wait({-> !empty(extend(s:found, map(copy(g:LspOmniFunc(0, 'spi')), 'v:val.word')))})
    call s:Step('completion knows traps', index(s:found, 'spiked pit') >= 0, s:found)
  catch
    call s:Step('no error', 0, v:exception .. ' ' .. v:throwpoint)
  endtry
  call add(s:log, s:failed == 0 ? 'all steps passed' : s:failed .. ' steps failed')
  call writefile(s:log, $LOG)
  execute s:failed == 0 ? 'qall!' : 'cquit!'
endfunction

" The plugin starts its servers when Vim has started.
autocmd VimEnter * ++once ++nested call s:Main()
