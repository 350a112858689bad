import { useTranslation } from 'react-i18next'
import type { AlarmAddress, Fold } from './address.ts'
import { foldOf, folds } from './address.ts'

/** By what events are folded; what is over is in no groups. */
export function FoldChoice({ address, onChange }: { address: AlarmAddress; onChange: (fold: Fold) => void }) {
  const { t } = useTranslation('alarmList')
  return (
    <label className="fold-choice">
      <span className="hidden-visually">{t('fold')}</span>
      <select value={foldOf(address)} onChange={(event) => onChange(event.target.value as Fold)}>
        {folds
          .filter((each) => !address.past || (each !== 'place' && each !== 'key'))
          .map((each) => (
            <option key={each} value={each}>
              {t(`folds.${each}`)}
            </option>
          ))}
      </select>
    </label>
  )
}
