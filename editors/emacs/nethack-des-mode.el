;;; nethack-des-mode.el --- Levels of NetHack and its variants  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "28.1"))
;; Keywords: games, languages

;;; Commentary:

;; Highlighting of des-files, and the language server of splc for eglot.  The mode works without the server.  Eglot is
;; part of Emacs 29 and later, and a package for Emacs 28.

;;; Code:

(defgroup nethack-des nil
  "Levels of NetHack and its variants."
  :group 'languages)

(defcustom nethack-des-server-program "splc"
  "Program of the language server."
  :type 'string
  :group 'nethack-des)

(defvar nethack-des-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "." table)
    (modify-syntax-entry ?_ "w" table)
    (modify-syntax-entry ?$ "'" table)
    table)
  "Syntax table of `nethack-des-mode'.")

(defconst nethack-des-words
  '("random" "lit" "unlit" "true" "false" "up" "down" "north" "south" "east" "west" "open" "closed" "locked" "nodoor"
    "broken" "secret" "center" "left" "right" "top" "bottom" "law" "neutral" "chaos" "filled" "unfilled" "irregular"
    "joined" "unjoined")
  "Words with a fixed meaning.")

(defconst nethack-des-selections
  '("rect" "fillrect" "line" "randline" "grow" "filter" "floodfill" "circle" "ellipse" "gradient" "complement"
    "rndcoord")
  "Words that make a set of squares.")

(defvar nethack-des-font-lock-keywords
  `(("'\\(?:\\\\.\\|.\\)'" . font-lock-string-face)
    ("\\$[A-Za-z_][A-Za-z0-9_]*" . font-lock-variable-name-face)
    ("\\_<[A-Z][A-Z_]+\\_>" . font-lock-keyword-face)
    (,(regexp-opt nethack-des-words 'symbols) . font-lock-constant-face)
    (,(regexp-opt nethack-des-selections 'symbols) . font-lock-function-name-face))
  "Highlighting of `nethack-des-mode'.")

;; In a map, `#' is a corridor and a quote is a square.
(defconst nethack-des-syntax-propertize
  (syntax-propertize-rules
   ("^MAP[ \t]*\n\\(\\(?:.*\n\\)*?\\)ENDMAP"
    (1 (prog1 nil
         (put-text-property (match-beginning 1) (match-end 1) 'syntax-table (string-to-syntax "."))))))
  "Finds the maps of a des-file.")

;;;###autoload
(define-derived-mode nethack-des-mode prog-mode "NetHack-des"
  "Major mode for des-files, the levels of NetHack and its variants."
  (setq-local comment-start "# ")
  (setq-local comment-end "")
  (setq-local font-lock-defaults '(nethack-des-font-lock-keywords))
  (setq-local syntax-propertize-function nethack-des-syntax-propertize)
  (setq-local indent-tabs-mode nil))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.des\\'" . nethack-des-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs `(nethack-des-mode . (,nethack-des-server-program "server"))))

(provide 'nethack-des-mode)
;;; nethack-des-mode.el ends here
