-- The language server of splc, for Neovim 0.11 and later: `vim.lsp.enable("splc")`.
return {
  cmd = { "splc", "server" },
  filetypes = { "nethackdes", "lua" },
  -- Lua files are levels only in a folder that says so.
  root_dir = function(buffer, use)
    local name = vim.api.nvim_buf_get_name(buffer)
    local marker = vim.fs.root(buffer, { ".splc", "dungeon.lua", "dungeon.def", ".git" })
    if vim.bo[buffer].filetype == "lua" then
      local first = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, 200, false), "\n")
      if not first:find("des%.%l") then
        return
      end
    end
    use(marker or vim.fs.dirname(name))
  end,
}
