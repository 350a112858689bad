import { useTranslation } from 'react-i18next'
import { span } from '../../ui/format.ts'
import { useNow } from '../../ui/use-now.ts'
import { wallClock } from './wall-clock.ts'

/** Says that the picture is no longer of now: over its whole width, in no colour of a state, for nothing is known of the plant. */
export function StoppedBand({ since, zone }: { since: number; zone: string }) {
  const { t } = useTranslation('screen')
  const now = useNow()
  return (
    <div className="stopped-band" role="alert">
      <svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true">
        <path d="M2 2h28v28H2zM11 9v14M21 9v14" />
      </svg>
      <b>{t('stoppedAt', { time: wallClock(since, zone).time })}</b>
      <span>{t('stoppedFor', { span: span(now - since) })}</span>
      <em>{t('retrying')}</em>
    </div>
  )
}
