import type { FormEvent, ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import { Mark } from './mark.tsx'

/**
 * A form in a dialog. `onSubmit` answers null when it is done (the dialog closes), or what to tell the person; one that throws is told as a
 * failure, too. While it runs nothing can be sent a second time. What it told is gone as soon as something else is entered.
 */
export function FormDialog({
  title,
  about,
  aside,
  submit,
  wide = false,
  ready = true,
  onSubmit,
  onClose,
  children,
}: {
  title: string
  /** A head that says more than the title, and says that too. */
  about?: ReactNode
  /** In the foot, beside the buttons. */
  aside?: ReactNode
  /** The word of the button: it names the act, never "OK". */
  submit: string
  wide?: boolean
  /** False: there is nothing to submit yet, and the dialog says what comes first. */
  ready?: boolean
  onSubmit: () => Promise<string | null>
  onClose: () => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  // What is wrong first gets the focus, once it is drawn as wrong.
  useEffect(() => {
    if (problem !== null) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [problem])
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setProblem(null)
    try {
      const answer = await onSubmit()
      if (answer === null) onClose()
      else setProblem(answer)
    } catch (error) {
      // Ours to hear of. Whether anything was done is not known.
      reportError(error)
      setProblem(t('unforeseen'))
    }
    setBusy(false)
  }
  return (
    <Dialog label={title} wide={wide} onClose={onClose}>
      <form onSubmit={send} onInput={() => setProblem(null)} noValidate ref={form}>
        {about ?? <h2>{title}</h2>}
        <div className="content">
          {children}
          {problem !== null && problem !== '' && (
            <p className="problem" role="alert">
              <Mark kind="alarm" />
              {problem}
            </p>
          )}
        </div>
        <div className="foot">
          {aside && <span className="aside">{aside}</span>}
          <button type="button" className="btn" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="btn primary" disabled={busy || !ready}>
            {busy ? t('sending') : submit}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
