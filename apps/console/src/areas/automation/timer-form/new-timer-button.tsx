import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { Icon } from '../../../ui/icon.tsx'

/** Opens the form of a new timer, of the project that the tree stands in. */
export function NewTimerButton({ reason }: { reason: string | null }) {
  const { t } = useTranslation('timers')
  const [, setAddress] = useSearchParams()
  const open = () =>
    setAddress((before) => {
      before.set('new', '1')
      return before
    })
  return (
    <ReasonedButton className="btn primary" reason={reason} onClick={open}>
      <Icon name="plus" />
      {t('newTimer')}
    </ReasonedButton>
  )
}
