import type { DayClass } from '@linewarden/rules/automation'
import { dayClasses, rareMonthDays } from '@linewarden/rules/automation'
import { useTranslation } from 'react-i18next'
import { MomentInput } from '../../../ui/moment-field.tsx'
import { Wrong } from './form-row.tsx'
import type { FormValues } from './form-values.ts'
import type { ProblemsByField } from './problems.ts'

interface Props {
  readonly values: FormValues
  readonly problems: ProblemsByField
  readonly onChange: (to: Partial<FormValues>) => void
}

const weekdays = [0, 1, 2, 3, 4, 5, 6] as const
const [everyDay, mondayToFriday] = [0b111_1111, 0b001_1111]

/** On which days: one date, days of the week, classes of the calendar or days of the month; and from when to when. */
export function PeriodField({ values, problems, onChange }: Props) {
  const { t } = useTranslation('timerForm')
  const { type } = values
  if (type === null) return <p className="mute">{t('typeFirst')}</p>
  if (type === 'once')
    return (
      <div className="line-up">
        <DateInput
          label={t('date')}
          value={values.date}
          wrong={problems.has('Period.Date')}
          onChange={(date) => onChange({ date })}
        />
      </div>
    )
  return (
    <>
      {type === 'calendar' ? (
        <Classes values={values} onChange={onChange} />
      ) : type === 'monthly' ? (
        <MonthDays values={values} onChange={onChange} />
      ) : (
        <WeekDays values={values} onChange={onChange} />
      )}
      <div className="line-up">
        <span className="mute">{t('fromDate')}</span>
        <DateInput
          label={t('fromDate')}
          value={values.from}
          wrong={problems.has('Period.FromDate')}
          onChange={(from) => onChange({ from })}
        />
        <span className="mute">{t('toDate')}</span>
        <DateInput
          label={t('toDate')}
          value={values.to}
          wrong={problems.has('Period.ToDate')}
          onChange={(to) => onChange({ to })}
        />
        <span className="mute">{t('noBounds')}</span>
      </div>
      {['Period.FromDate', 'Period.ToDate'].map((field) => {
        const text = problems.get(field)
        return text && <Wrong key={field} text={text} />
      })}
    </>
  )
}

export function DateInput({
  label,
  value,
  wrong,
  onChange,
}: {
  label: string
  value: string
  wrong: boolean
  onChange: (value: string) => void
}) {
  return <MomentInput kind="day" label={label} value={value} invalid={wrong} onChange={onChange} onDone={onChange} />
}

function Toggles<V extends string | number>({
  label,
  options,
  onToggle,
}: {
  label: string
  options: readonly { readonly value: V; readonly label: string; readonly on: boolean }[]
  onToggle: (value: V) => void
}) {
  return (
    <div className="line-up toggles" role="group" aria-label={label}>
      {options.map(({ value, label: name, on }) => (
        <button type="button" className="chip" key={value} aria-pressed={on} onClick={() => onToggle(value)}>
          {name}
        </button>
      ))}
    </div>
  )
}

function Classes({ values: { classes }, onChange }: Pick<Props, 'values' | 'onChange'>) {
  const { t } = useTranslation(['timerForm', 'automation'])
  const toggle = (value: DayClass) =>
    onChange({ classes: dayClasses.filter((each) => classes.includes(each) !== (each === value)) })
  return (
    <Toggles
      label={t('period')}
      options={dayClasses.map((value) => ({ value, label: t(`automation:classes.${value}`), on: classes.includes(value) }))}
      onToggle={toggle}
    />
  )
}

function WeekDays({ values: { weekDays }, onChange }: Pick<Props, 'values' | 'onChange'>) {
  const { t } = useTranslation(['timerForm', 'automation'])
  return (
    <div className="line-up">
      <Toggles
        label={t('period')}
        options={weekdays.map((value) => ({
          value,
          label: t(`automation:weekday${value}`),
          on: (weekDays & (1 << value)) !== 0,
        }))}
        onToggle={(value) => onChange({ weekDays: weekDays ^ (1 << value) })}
      />
      <button type="button" className="btn small quiet" onClick={() => onChange({ weekDays: everyDay })}>
        {t('automation:everyDay')}
      </button>
      <button type="button" className="btn small quiet" onClick={() => onChange({ weekDays: mondayToFriday })}>
        {t('automation:mondayToFriday')}
      </button>
    </div>
  )
}

const monthDays = Array.from({ length: 31 }, (_, index) => index + 1)

function MonthDays({ values: { monthDays: chosen }, onChange }: Pick<Props, 'values' | 'onChange'>) {
  const { t } = useTranslation(['timerForm', 'automation'])
  const toggle = (value: number) =>
    onChange({ monthDays: [...monthDays, -1].filter((each) => chosen.includes(each) !== (each === value)) })
  const rare = rareMonthDays(chosen)
  return (
    <>
      <div className="month-days">
        <Toggles
          label={t('period')}
          options={[
            ...monthDays.map((value) => ({ value, label: String(value), on: chosen.includes(value) })),
            { value: -1, label: t('automation:lastDay'), on: chosen.includes(-1) },
          ]}
          onToggle={toggle}
        />
      </div>
      {rare.length > 0 && (
        <p className="note">
          {t('rareDays', { days: rare.join(t('automation:nameBetween')) })}
          <button
            type="button"
            className="btn small"
            onClick={() => onChange({ monthDays: [...chosen.filter((day) => day > 0 && day <= 28), -1] })}
          >
            {t('useLastDay')}
          </button>
        </p>
      )}
    </>
  )
}
