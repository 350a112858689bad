import { maxExceptions } from '@linewarden/rules/automation'
import { useTranslation } from 'react-i18next'
import { Segments } from '../../../ui/fields.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Wrong } from './form-row.tsx'
import type { ExceptionValues, FormValues } from './form-values.ts'
import { withPoint } from './form-values.ts'
import { DateInput } from './period-field.tsx'
import { PointsField } from './points-field.tsx'
import type { ProblemsByField } from './problems.ts'

/** Days on which a timer does nothing, or acts at times of their own. */
export function ExceptionsField({
  values,
  problems,
  onChange,
}: {
  values: FormValues
  problems: ProblemsByField
  onChange: (exceptions: readonly ExceptionValues[]) => void
}) {
  const { t } = useTranslation('timerForm')
  const { exceptions } = values
  return (
    <>
      {exceptions.map((exception, index) => (
        <ExceptionRow
          key={exception.key}
          exception={exception}
          index={index}
          values={values}
          problems={problems}
          onChange={(to) => onChange(exceptions.map((each) => (each === exception ? { ...each, ...to } : each)))}
          onRemove={() => onChange(exceptions.filter((each) => each !== exception))}
        />
      ))}
      <div className="line-up">
        <button
          type="button"
          className="btn small"
          disabled={exceptions.length >= maxExceptions}
          onClick={() => onChange(withException(exceptions, ''))}
        >
          <Icon name="plus" />
          {t('addException')}
        </button>
        <span className="mute">{t('exceptionHint')}</span>
      </div>
    </>
  )
}

/** One more exception on a date; empty: somebody types it. */
export function withException(exceptions: readonly ExceptionValues[], date: string): readonly ExceptionValues[] {
  const key = Math.max(-1, ...exceptions.map((each) => each.key)) + 1
  return [...exceptions, { key, from: date, to: date, points: null }]
}

function ExceptionRow({
  exception,
  index,
  values,
  problems,
  onChange,
  onRemove,
}: {
  exception: ExceptionValues
  index: number
  values: FormValues
  problems: ProblemsByField
  onChange: (to: Partial<ExceptionValues>) => void
  onRemove: () => void
}) {
  const { t } = useTranslation('timerForm')
  const path = `Exceptions.${index}`
  const no = index + 1
  const own = ['FromDate', 'ToDate', 'Do'].flatMap((each) => problems.get(`${path}.${each}`) ?? [])
  return (
    <div className="exception" role="group" aria-label={t('exceptionNo', { no })}>
      <div className="line-up">
        <DateInput
          label={t('exceptionFrom', { no })}
          value={exception.from}
          wrong={problems.has(`${path}.FromDate`)}
          onChange={(from) => onChange({ from, ...(exception.to === exception.from && { to: from }) })}
        />
        <span className="mute">{t('toDate')}</span>
        <DateInput
          label={t('exceptionTo', { no })}
          value={exception.to}
          wrong={problems.has(`${path}.ToDate`)}
          onChange={(to) => onChange({ to })}
        />
        <Segments
          label={t('exceptionDo')}
          value={exception.points === null ? 'none' : 'own'}
          options={(['none', 'own'] as const).map((value) => ({ value, label: t(`exceptionDoes.${value}`) }))}
          onChange={(to) => onChange({ points: to === 'none' ? null : (exception.points ?? withPoint([], values) ?? []) })}
        />
        <button type="button" className="btn quiet" aria-label={t('removeException', { no })} onClick={onRemove}>
          <Icon name="close" />
        </button>
      </div>
      {own.map((text) => (
        <Wrong key={text} text={text} />
      ))}
      {exception.points !== null && (
        <PointsField
          points={exception.points}
          purpose={values.function}
          type={values.type}
          path={`${path}.Do`}
          problems={problems}
          onChange={(points) => onChange({ points })}
        />
      )}
    </div>
  )
}
