# Des-files of NetHack and its variants: highlighting, and the language server of splc for kak-lsp.

hook global BufCreate .*\.des %{
    set-option buffer filetype nethack-des
}

hook global WinSetOption filetype=nethack-des %{
    add-highlighter window/nethack-des ref nethack-des
    hook -once -always window WinSetOption filetype=.* %{ remove-highlighter window/nethack-des }
    set-option window comment_line '#'
}

add-highlighter shared/nethack-des regions
add-highlighter shared/nethack-des/code default-region group
add-highlighter shared/nethack-des/comment region '^\h*#' '$' fill comment
add-highlighter shared/nethack-des/string region '"' '"|$' fill string
add-highlighter shared/nethack-des/map region '^MAP\h*$' '^ENDMAP' group
add-highlighter shared/nethack-des/map/keyword regex '^(MAP|ENDMAP)' 0:keyword
add-highlighter shared/nethack-des/map/water regex '[}PW]' 0:function
add-highlighter shared/nethack-des/map/lava regex 'L' 0:red
add-highlighter shared/nethack-des/map/door regex '[+S]' 0:value
add-highlighter shared/nethack-des/code/ regex '\b[A-Z][A-Z_]+\b' 0:keyword
add-highlighter shared/nethack-des/code/ regex '\$\w+' 0:variable
add-highlighter shared/nethack-des/code/ regex "'(\\\\.|.)'" 0:string
add-highlighter shared/nethack-des/code/ regex '\b\d+(d\d+|%)?' 0:value

# kak-lsp 18 and later read this option.
hook -group nethack-des-lsp global BufSetOption filetype=nethack-des %{
    set-option buffer lsp_servers %{
        [splc]
        command = "splc"
        args = ["server"]
        root_globs = [".git", "dungeon.def"]
    }
}
