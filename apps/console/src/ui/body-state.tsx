import { useTranslation } from 'react-i18next'

/** What a body shows when it has nothing to show: one sentence, one action. */
export function Empty({
  title,
  hint,
  action,
  second,
}: {
  title: string
  hint?: string
  /** `busy`: it runs already. The button stays where it is, and keeps the focus. */
  action?: { label: string; run: () => void; busy?: boolean }
  /** Another way to begin. */
  second?: { label: string; run: () => void }
}) {
  return (
    <div className="void">
      <b>{title}</b>
      {hint && <p>{hint}</p>}
      {action && (
        <span className="acts">
          <button type="button" className="btn" aria-busy={action.busy} onClick={action.busy ? undefined : action.run}>
            {action.label}
          </button>
          {second && (
            <button type="button" className="btn" onClick={second.run}>
              {second.label}
            </button>
          )}
        </span>
      )}
    </div>
  )
}

export function Loading() {
  const { t } = useTranslation()
  return (
    <div className="void" role="status" aria-label={t('loading')}>
      <div className="bars">
        <i />
        <i />
        <i />
      </div>
    </div>
  )
}

export function Failed({ message, retry, busy = false }: { message: string; retry: () => void; busy?: boolean }) {
  const { t } = useTranslation()
  return <Empty title={message} hint={t('failedHint')} action={{ label: t('retry'), run: retry, busy }} />
}
