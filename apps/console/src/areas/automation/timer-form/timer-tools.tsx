import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { Icon } from '../../../ui/icon.tsx'

/** Above the list: the calendar of days, and the form of a new timer, of the project that the tree stands in. */
export function TimerTools({ reason }: { reason: string | null }) {
  const { t } = useTranslation('timers')
  const [, setAddress] = useSearchParams()
  const open = (what: 'new' | 'calendar') =>
    setAddress((before) => {
      before.set(what, '1')
      return before
    })
  return (
    <>
      <button type="button" className="btn" onClick={() => open('calendar')}>
        <Icon name="calendar" />
        {t('calendar')}
      </button>
      <ReasonedButton className="btn primary" reason={reason} onClick={() => open('new')}>
        <Icon name="plus" />
        {t('newTimer')}
      </ReasonedButton>
    </>
  )
}
