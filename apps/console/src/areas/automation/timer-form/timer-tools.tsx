import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { Icon } from '../../../ui/icon.tsx'

/** Above the list: what happens today, the calendar of days, and the form of a new timer, of the project that the tree stands in. */
export function TimerTools({ reason, onDay }: { reason: string | null; onDay: () => void }) {
  const { t } = useTranslation('timers')
  const [, setAddress] = useSearchParams()
  const open = (what: 'new' | 'calendar') =>
    setAddress((before) => {
      before.set(what, '1')
      return before
    })
  return (
    <>
      <button type="button" className="btn" aria-label={t('today')} title={t('today')} onClick={onDay}>
        <Icon name="clock" />
        <span className="word">{t('today')}</span>
      </button>
      <button type="button" className="btn" aria-label={t('calendar')} title={t('calendar')} onClick={() => open('calendar')}>
        <Icon name="calendar" />
        <span className="word">{t('calendar')}</span>
      </button>
      <ReasonedButton className="btn primary" aria-label={t('newTimer')} reason={reason} onClick={() => open('new')}>
        <Icon name="plus" />
        <span className="word">{t('newTimer')}</span>
      </ReasonedButton>
    </>
  )
}
