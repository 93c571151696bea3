-- Drives the language server from Neovim without a person: `nvim --headless -u NONE -n -c 'luafile nvim.lua'`, with the
-- program to test in SPLC. It ends with an error if a step fails. It runs in Neovim 0.7 and later.

local splc = os.getenv("SPLC") or "splc"
local folder = vim.fn.tempname()
vim.fn.mkdir(folder, "p")
local failed = 0

local function step(name, ok, found)
  io.write((ok and "ok    " or "FAIL  ") .. name .. "\n")
  if not ok then
    failed = failed + 1
    io.write("      found: " .. vim.inspect(found) .. "\n")
  end
end

local function wait(condition)
  return vim.wait(5000, condition, 10)
end

local function write(name, lines)
  local path = folder .. "/" .. name
  vim.fn.writefile(lines, path)
  return path
end

local function edit(name, lines)
  vim.cmd("edit " .. vim.fn.fnameescape(write(name, lines)))
  return vim.api.nvim_get_current_buf()
end

local client = vim.lsp.start_client({
  name = "splc",
  cmd = { splc, "server" },
  root_dir = folder,
  init_options = { test = true },
  capabilities = vim.lsp.protocol.make_client_capabilities(),
})

local function attach(buffer)
  vim.lsp.buf_attach_client(buffer, client)
  wait(function()
    return next(vim.lsp.buf_get_clients(buffer)) ~= nil
  end)
end

-- Returns the answer to a request at the text `at` in the buffer, shifted by `shift` columns.
local function ask(buffer, method, at, shift, more)
  local parameters = more or {}
  parameters.textDocument = { uri = vim.uri_from_bufnr(buffer) }
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local column = at and line:find(at, 1, true)
    if column then
      parameters.position = { line = number - 1, character = column - 1 + (shift or 0) }
      break
    end
  end
  local answers = vim.lsp.buf_request_sync(buffer, method, parameters, 5000) or {}
  local answer = answers[client] or {}
  return answer.result, answer.error
end

local function lines(buffer)
  return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

local function apply(edit)
  vim.lsp.util.apply_workspace_edit(edit, "utf-16")
end

local buffer = edit("yard.des", {
  'LEVEL: "yard"',
  "GEOMETRY: center, center",
  "MAP",
  "-----",
  "|...|",
  "|..L|",
  "-----",
  "ENDMAP",
  'MONSTER: ("o", "hill orc"), (1,1)',
  '$beast = monster: { \'o\', \'k\' }',
  "MONSTER: $beast[0], (2,1)",
  'TRAP: "pti", (1,2)',
  "IF[50%]{",
  'STAIR: (2,2), up',
  "}",
})
attach(buffer)

step("diagnostics appear", wait(function()
  return #vim.diagnostic.get(buffer) > 0
end), vim.diagnostic.get(buffer))

-- A fix.
local trap
for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
  if diagnostic.code == "E0203" then
    trap = diagnostic
  end
end
step("a diagnostic has its code and its help", trap and trap.message:find("pit", 1, true) ~= nil, vim.diagnostic.get(buffer))
local line = 11
local actions = ask(buffer, "textDocument/codeAction", nil, 0, {
  range = { start = { line = line, character = 6 }, ["end"] = { line = line, character = 11 } },
  context = { diagnostics = {} },
})
local fix
for _, action in ipairs(actions or {}) do
  if action.edit and action.kind == "quickfix" then
    fix = fix or action
  end
end
if fix then
  apply(fix.edit)
end
step("a fix is applied", lines(buffer)[12] == 'TRAP: "pit", (1,2)', { lines(buffer)[12], actions })

-- All other fixes: double quotes around a class.
local all = ask(buffer, "textDocument/codeAction", nil, 0, {
  range = { start = { line = 0, character = 0 }, ["end"] = { line = 0, character = 0 } },
  context = { diagnostics = {}, only = { "source.fixAll" } },
})
if all and all[1] then
  apply(all[1].edit)
end
step("all mistakes are fixed", wait(function()
  local errors = vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR })
  return #errors == 0
end), { vim.diagnostic.get(buffer), lines(buffer) })

-- Completion.
local function labels(answer)
  local found = {}
  for _, item in ipairs(answer and (answer.items or answer) or {}) do
    found[item.label] = item
  end
  return found
end
local items = labels(ask(buffer, "textDocument/completion", '"pit"', 2))
step("completion knows traps", items["bear"] and items["pit"] and not items["newt"], vim.tbl_keys(items))
items = labels(ask(buffer, "textDocument/completion", "$beast[0]", 0))
step("completion knows monsters and variables", items["hill orc"] and items["$beast"], vim.tbl_keys(items))
step("completion inserts class and name", items["hill orc"] and items["hill orc"].textEdit.newText == "('o', \"hill orc\")", items["hill orc"])
items = labels(ask(buffer, "textDocument/completion", "IF[", 0))
step("completion knows statements", items["FOUNTAIN"] and items["MONSTER"], vim.tbl_keys(items))

-- Hover, in a map too.
local function shown(answer)
  return answer and answer.contents and answer.contents.value or ""
end
step("hover describes a monster", shown(ask(buffer, "textDocument/hover", "hill orc", 1)):find("class `o`", 1, true), shown(ask(buffer, "textDocument/hover", "hill orc", 1)))
step("hover describes a square", shown(ask(buffer, "textDocument/hover", "|..L|", 3)):find("lava", 1, true), shown(ask(buffer, "textDocument/hover", "|..L|", 3)))
step("hover names the statements at a square", shown(ask(buffer, "textDocument/hover", "|..L|", 1)):find("TRAP", 1, true), shown(ask(buffer, "textDocument/hover", "|..L|", 1)))
step("hover shows the syntax of a statement", shown(ask(buffer, "textDocument/hover", "STAIR", 1)):find("up|down", 1, true), shown(ask(buffer, "textDocument/hover", "STAIR", 1)))

-- Definitions.
local function line_of(answer)
  local first = answer and (answer[1] or answer)
  return first and (first.range or first.targetRange).start.line
end
step("definition of a variable", line_of(ask(buffer, "textDocument/definition", "$beast[0]", 2)) == 9, ask(buffer, "textDocument/definition", "$beast[0]", 2))
step("definition of a place is its square", line_of(ask(buffer, "textDocument/definition", "(1,2)", 1)) == 5, ask(buffer, "textDocument/definition", "(1,2)", 1))
local uses = ask(buffer, "textDocument/references", "$beast[0]", 2, { context = { includeDeclaration = true } })
step("references", uses and #uses == 2, uses)

-- A rename.
local renamed = ask(buffer, "textDocument/rename", "$beast[0]", 2, { newName = "monster_of_yard" })
if renamed then
  apply(renamed)
end
step("a rename", table.concat(lines(buffer), "\n"):find("MONSTER: $monster_of_yard[0]", 1, true) and lines(buffer)[10]:find("$monster_of_yard =", 1, true), lines(buffer))
local _, refused = ask(buffer, "textDocument/rename", "$monster_of_yard[0]", 2, { newName = "not a name" })
step("an invalid rename is refused", refused and refused.message:find("not a name", 1, true), refused)

-- Formatting.
local edits = ask(buffer, "textDocument/formatting", nil, 0, { options = { tabSize = 2, insertSpaces = true } })
if edits then
  vim.lsp.util.apply_text_edits(edits, buffer, "utf-16")
end
step("formatting", vim.tbl_contains(lines(buffer), "IF [50%] {") and vim.tbl_contains(lines(buffer), "  STAIR: (2,2), up"), lines(buffer))

-- The structure.
local symbols = ask(buffer, "textDocument/documentSymbol")
step("outline", symbols and symbols[1] and symbols[1].name == "yard" and #symbols[1].children > 3, symbols)
local folds = ask(buffer, "textDocument/foldingRange")
step("folds", folds and #folds >= 2, folds)
local help = ask(buffer, "textDocument/signatureHelp", "(1,2)", 0)
step("signature help", help and help.signatures[1].label:find("TRAP", 1, true) and help.activeParameter == 1, help)
local tokens = ask(buffer, "textDocument/semanticTokens/full")
step("semantic tokens", tokens and #tokens.data > 50, tokens)

-- Findings of tests, in the background.
vim.api.nvim_buf_set_lines(buffer, 0, -1, false, {
  'LEVEL: "apart"',
  "GEOMETRY: center, center",
  "MAP",
  "-------",
  "|..|..|",
  "-------",
  "ENDMAP",
  "STAIR: (1,1), up",
  "STAIR: (4,1), down",
})
step("tests run in the background", wait(function()
  for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
    if diagnostic.message:find("seeds", 1, true) then
      return true
    end
  end
  return false
end), vim.diagnostic.get(buffer))

-- A script of NetHack 5.
local script = edit("cellar.lua", {
  'des.level_init({ style = "solidfill", fg = " " })',
  "local where = selection.area(1, 1, 5, 5)",
  'des.monster({ id = "dwarf", peacefull = 0 })',
  "des.terrain(where, \".\")",
})
attach(script)
step("diagnostics of a Lua level", wait(function()
  return #vim.diagnostic.get(script) > 0
end), vim.diagnostic.get(script))
items = labels(ask(script, "textDocument/completion", "peacefull", 0))
step("completion knows keys", items["peaceful"] and items["asleep"] and not items["id"], vim.tbl_keys(items))
items = labels(ask(script, "textDocument/completion", '"dwarf"', 1))
step("completion knows monsters in Lua", items["dwarf leader"] and items["dwarf queen"], vim.tbl_keys(items))
step("definition in Lua", line_of(ask(script, "textDocument/definition", "(where", 2)) == 1, ask(script, "textDocument/definition", "(where", 2))
step("hover of a Lua function", shown(ask(script, "textDocument/hover", "des.monster", 5)):find("peaceful", 1, true), shown(ask(script, "textDocument/hover", "des.monster", 5)))

-- The preview of an unsaved text: the page asks the server for a level.
vim.api.nvim_buf_set_lines(buffer, 0, 1, false, { 'LEVEL: "unsaved"' })
local preview = ask(buffer, "workspace/executeCommand", nil, 0, {
  command = "splc.server.preview",
  arguments = { vim.uri_from_bufnr(buffer) },
})
local origin = preview and preview:match("^(http://127%.0%.0%.1:%d+)/%?token=%x+$")
step("the preview has an address", origin ~= nil, preview)
if origin then
  local cookies = folder .. "/cookies"
  vim.fn.system({ "curl", "--silent", "--cookie-jar", cookies, preview })
  local function question(text)
    return vim.fn.system({
      "curl", "--silent", "--cookie", cookies, "--header", "Origin: " .. origin,
      "--header", "Content-Type: application/json", "--data", text, origin .. "/ask",
    })
  end
  local function level()
    return question('{"ask":"level","file":0,"level":0,"seed":1}')
  end
  step("the preview shows the unsaved level", level():find('"name":"unsaved"', 1, true) ~= nil, level())
  vim.api.nvim_buf_set_lines(buffer, 0, 1, false, { 'LEVEL: "changed"' })
  step("the preview follows a change", wait(function()
    return level():find('"name":"changed"', 1, true) ~= nil
  end), level())
  -- A version that is no longer the newest is refused.
  wait(function()
    local version = question('{"ask":"files"}'):match('"version":(%d+)')
    local change = '{"add":{"kind":"trap","name":"pit","at":[38,11]}}'
    local edit = '{"ask":"edit","file":0,"level":0,"seed":1,"version":' .. version .. ',"change":' .. change .. "}"
    return question(edit):find('"done"', 1, true) ~= nil
  end)
  step("a change on the page is an edit of the text", wait(function()
    return table.concat(lines(buffer), "\n"):find("TRAP", 1, true) ~= nil
  end), { lines(buffer), question('{"ask":"files"}') })
end

-- A changed include changes its includers.
local included = edit("lamps.inc", { "FUNCTION lamps() {", "  FOUNTAIN: random", "}" })
attach(included)
local including = edit("park.des", { 'INCLUDE "lamps.inc"', 'LEVEL: "park"', "NOMAP", "lamps()" })
attach(including)
wait(function()
  return #vim.diagnostic.get(including, { severity = vim.diagnostic.severity.ERROR }) == 0
end)
vim.api.nvim_buf_set_lines(included, 0, 1, false, { "FUNCTION lights() {" })
step("a changed include changes its includers", wait(function()
  return #vim.diagnostic.get(including, { severity = vim.diagnostic.severity.ERROR }) > 0
end), vim.diagnostic.get(including))

io.write(failed == 0 and "all steps passed\n" or (failed .. " steps failed\n"))
vim.cmd(failed == 0 and "qall!" or "cquit!")
