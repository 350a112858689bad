import { useTranslation } from 'react-i18next'

/** What a body shows when it has nothing to show: one sentence, one action. */
export function Empty({ title, hint, action }: { title: string; hint?: string; action?: { label: string; run: () => void } }) {
  return (
    <div className="void">
      <b>{title}</b>
      {hint && <p>{hint}</p>}
      {action && (
        <button type="button" className="btn" onClick={action.run}>
          {action.label}
        </button>
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

export function Failed({ message, retry }: { message: string; retry: () => void }) {
  const { t } = useTranslation()
  return <Empty title={message} hint={t('failedHint')} action={{ label: t('retry'), run: retry }} />
}
