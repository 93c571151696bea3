-- Des-files of NetHack and its variants.
vim.filetype.add({ extension = { des = "nethackdes" } })
