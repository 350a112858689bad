import { useTranslation } from 'react-i18next'
import { clockTime } from './format.ts'
import './outdated.css'

/** Beside what is still shown though it could not be fetched anew: why, and from when it is. */
export function Outdated({
  problem,
  at,
  busy,
  retry,
}: {
  problem: string
  /** When it was fetched, by the server's clock. */
  at: number
  busy: boolean
  retry: () => void
}) {
  const { t } = useTranslation()
  return (
    <p className="outdated">
      <span role="alert">{t('outdated', { problem, time: clockTime(at) })}</span>
      <button type="button" className="btn small" aria-busy={busy} onClick={busy ? undefined : retry}>
        {t('retry')}
      </button>
    </p>
  )
}
