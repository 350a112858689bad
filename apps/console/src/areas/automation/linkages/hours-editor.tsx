import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/icon.tsx'
import type { ProblemOf } from './condition-editor.tsx'
import type { HoursValues } from './form-values.ts'

const weekdays = [0, 1, 2, 3, 4, 5, 6] as const

/** On which days and between which times of the project's clock it acts. */
export function HoursEditor({
  values,
  path,
  problemOf,
  onChange,
  onRemove,
}: {
  values: HoursValues
  /** `ActiveHours.0`. */
  path: string
  problemOf: ProblemOf
  onChange: (values: HoursValues) => void
  onRemove: () => void
}) {
  const { t } = useTranslation('linkageForm')
  const time = (name: 'From' | 'To', label: string) => (
    <input
      className="clock"
      aria-label={label}
      value={values[name]}
      maxLength={8}
      placeholder="00:00"
      autoComplete="off"
      aria-invalid={problemOf(`${path}.${name}`) ? true : undefined}
      onChange={(event) => onChange({ ...values, [name]: event.target.value })}
    />
  )
  const problem = problemOf(`${path}.From`) ?? problemOf(`${path}.To`) ?? problemOf(`${path}.Days`)
  return (
    <li className="hours-editor">
      <span className="week" role="group" aria-label={t('hours')}>
        {weekdays.map((day) => {
          const isOn = (values.Days & (1 << day)) !== 0
          return (
            <button
              type="button"
              key={day}
              className="btn small"
              aria-pressed={isOn}
              aria-label={t(`dayName${day}`)}
              onClick={() => onChange({ ...values, Days: values.Days ^ (1 << day) })}
            >
              {t(`day${day}`)}
            </button>
          )
        })}
      </span>
      {time('From', t('from'))}
      <span className="mute">–</span>
      {time('To', t('to'))}
      {values.To <= values.From && <small>{t('nextDay')}</small>}
      <button type="button" className="btn quiet" aria-label={t('removeRow')} title={t('removeRow')} onClick={onRemove}>
        <Icon name="trash" />
      </button>
      {problem && <small role="alert">{problem}</small>}
    </li>
  )
}
