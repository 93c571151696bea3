;;; eglot.el --- Drives the language server from Emacs without a person  -*- lexical-binding: t; -*-

;;; Commentary:

;; emacs --batch -Q -L ../emacs -l eglot.el, with the program to test in SPLC.  Emacs 28 needs the package eglot.  Ends
;; with an error if a step fails.

;;; Code:

(when (< emacs-major-version 29)
  (let ((debian "/usr/share/emacs/site-lisp/elpa"))
    (dolist (folder (and (file-directory-p debian) (directory-files debian t "\\`[a-z]")))
      (add-to-list 'load-path folder))))

(require 'nethack-des-mode)
(setq nethack-des-server-program (or (getenv "SPLC") "splc"))
(require 'eglot)
(require 'flymake)
(require 'xref)

(setq eglot-sync-connect 10
      eglot-autoshutdown nil
      eglot-confirm-server-initiated-edits nil
      eldoc-idle-delay 0
      make-backup-files nil)
;; The server program may have been set after the mode was loaded.
(setf (alist-get 'nethack-des-mode eglot-server-programs) (list nethack-des-server-program "server"))

(defvar failed 0)

(defun step-is (name ok &optional found)
  "Report the step NAME, with FOUND unless it is OK."
  (princ (format "%s %s\n" (if ok "ok   " "FAIL ") name))
  (unless ok
    (setq failed (1+ failed))
    (princ (format "      found: %S\n" found))))

(defun wait-for (condition)
  "Wait until CONDITION returns a value other than nil, and return it."
  (let ((end (+ (float-time) 8)) found)
    (while (and (not (setq found (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.05))
    found))

(defun text () (buffer-substring-no-properties (point-min) (point-max)))

(let* ((folder (make-temp-file "levels" t))
       (path (expand-file-name "yard.des" folder)))
  (with-temp-file path
    (insert "LEVEL: \"yard\"\nGEOMETRY: center, center\nMAP\n-----\n|...|\n|..L|\n-----\nENDMAP\n"
            "$beast = monster: { 'o', 'k' }\nMONSTER: $beast[0], (2,1)\nTRAP: \"pti\", (1,2)\n"
            "IF[50%]{\nSTAIR: (2,2), up\n}\n"))
  (find-file path)
  (step-is "the mode is chosen" (eq major-mode 'nethack-des-mode) major-mode)
  (font-lock-ensure)
  (goto-char (point-min))
  (step-is "a statement is highlighted" (eq (get-text-property (point) 'face) 'font-lock-keyword-face)
           (get-text-property (point) 'face))
  (apply #'eglot (eglot--guess-contact))
  (step-is "eglot connects" (eglot-managed-p))
  (flymake-start)
  (let ((found (wait-for #'flymake-diagnostics)))
    (step-is "diagnostics appear" found)
    (step-is "help is in the message"
             (seq-some (lambda (one) (string-match-p "help: did you mean \"pit\"" (flymake-diagnostic-text one))) found)
             (mapcar #'flymake-diagnostic-text found)))
  (search-forward "pti")
  (let ((actions (eglot-code-actions (line-beginning-position) (line-end-position) "quickfix" nil)))
    (let ((fix (seq-find (lambda (action) (plist-get action :edit)) actions)))
      (step-is "a fix is offered" fix actions)
      (when fix
        ;; Emacs 30 also wants to know who asks.
        (let ((edit (plist-get fix :edit)))
          (condition-case nil (eglot--apply-workspace-edit edit)
            (wrong-number-of-arguments (eglot--apply-workspace-edit edit 'test)))))))
  (step-is "a fix is applied" (string-match-p "TRAP: \"pit\", (1,2)" (text)) (text))
  (goto-char (point-min))
  (search-forward "\"pit")
  (let* ((completion (eglot-completion-at-point))
         (items (all-completions "" (nth 2 completion))))
    (step-is "completion knows traps" (member "spiked pit" items) items))
  (goto-char (point-min))
  (search-forward "MONSTER: $be")
  (let* ((completion (eglot-completion-at-point))
         (items (all-completions "$be" (nth 2 completion))))
    (step-is "completion knows variables" (member "$beast" items) items))
  (let ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                                (eglot--TextDocumentPositionParams))))
    (step-is "hover describes a variable"
             (string-match-p "monster array" (format "%s" (plist-get hover :contents))) hover))
  (let ((found (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))
    (step-is "definition jumps"
             (and found (= 9 (xref-location-line (xref-item-location (car found))))) found))
  (eglot-rename "$creature")
  (step-is "a rename" (and (string-match-p "^\\$creature = " (text)) (string-match-p "MONSTER: \\$creature\\[0\\]" (text)))
           (text))
  (eglot-format-buffer)
  (step-is "formatting" (string-match-p "IF \\[50%\\] {\n  STAIR: (2,2), up\n}" (text)) (text))
  (let ((index (eglot-imenu)))
    (step-is "outline" (string-match-p "yard" (format "%S" index)) index))
  (set-buffer-modified-p nil)
  (princ (if (= failed 0) "all steps passed\n" (format "%d steps failed\n" failed)))
  (kill-emacs (if (= failed 0) 0 1)))
;;; eglot.el ends here
