" Des-files of NetHack and its variants.
autocmd BufNewFile,BufRead *.des setfiletype nethackdes
