import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { popUpsOf } from './pop-up-queue.ts'
import { clearPopUps, useUnacknowledged } from './unacknowledged.ts'

/** Puts all pop-ups away; says how many there are. */
export function ClearPopUps() {
  const { t } = useTranslation()
  const open = useUnacknowledged((state) => popUpsOf(state).shown.length)
  return (
    <button
      type="button"
      className="btn quiet clear-pops"
      onClick={clearPopUps}
      disabled={open === 0}
      aria-label={open > 0 ? `${t('clearPopups')} ${open}` : t('clearPopups')}
      title={t('clearPopups')}
    >
      <Icon name="pops" />
      <span className="word">{t('clearPopups')}</span> {open > 0 && <span className="count">{open}</span>}
    </button>
  )
}
