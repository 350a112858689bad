import { useTranslation } from 'react-i18next'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { popUpsOf } from './pop-up-queue.ts'
import { clearPopUps, useUnacknowledged } from './unacknowledged.ts'

/** Puts all pop-ups away; says how many there are. */
export function ClearPopUps() {
  const { t } = useTranslation()
  const open = useUnacknowledged((state) => popUpsOf(state).shown.length)
  return (
    <ReasonedButton
      className="btn quiet clear-pops"
      onClick={clearPopUps}
      reason={open === 0 ? t('noPopups') : null}
      aria-label={open > 0 ? `${t('clearPopups')} ${open}` : t('clearPopups')}
      title={t('clearPopups')}
    >
      <Icon name="pops" />
      <span className="word">{t('clearPopups')}</span> {open > 0 && <span className="count">{open}</span>}
    </ReasonedButton>
  )
}
