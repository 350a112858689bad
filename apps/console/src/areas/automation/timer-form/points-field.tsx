import type { TimerFunction } from '@linewarden/rules/automation'
import { maxTimerPoints, timerFunctions } from '@linewarden/rules/automation'
import type { KeyboardEvent } from 'react'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Segments } from '../../../ui/fields.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SwitchSymbol } from '../../../ui/switch-symbol.tsx'
import { Wrong } from './form-row.tsx'
import type { PointValues, TimerType } from './form-values.ts'
import { clockText, steppedClock, withPoint } from './form-values.ts'
import type { ProblemsByField } from './problems.ts'

interface Props {
  readonly points: readonly PointValues[]
  readonly purpose: TimerFunction | null
  readonly type: TimerType | null
  /** Where they stand on the wire: `Points`, `Exceptions.0.Do`. */
  readonly path: string
  readonly problems: ProblemsByField
  readonly onChange: (points: readonly PointValues[]) => void
}

/** The times of the day at which something is done, and what. */
export function PointsField({ points, purpose, type, path, problems, onChange }: Props) {
  const { t } = useTranslation('timerForm')
  const next = withPoint(points, { function: purpose, type })
  const set = (index: number, to: Partial<PointValues>) =>
    onChange(points.map((point, at) => (at === index ? { ...point, ...to } : point)))
  return (
    <>
      {points.map((point, index) => (
        <PointRow
          key={point.no}
          point={point}
          place={index + 1}
          purpose={purpose}
          type={type}
          problem={['At', 'At.OffsetMin', 'Action', 'PointNo']
            .map((each) => problems.get(`${path}.${index}.${each}`))
            .find(Boolean)}
          onChange={(to) => set(index, to)}
          onRemove={() => onChange(points.filter((_, at) => at !== index))}
        />
      ))}
      <div className="line-up">
        <button type="button" className="btn small" disabled={next === null} onClick={() => next && onChange(next)}>
          <Icon name="plus" />
          {t('addPoint')}
        </button>
        <span className="mute">{t('points', { count: points.length, most: maxTimerPoints })}</span>
      </div>
    </>
  )
}

function PointRow({
  point,
  place,
  purpose,
  type,
  problem,
  onChange,
  onRemove,
}: Pick<Props, 'purpose' | 'type'> & {
  point: PointValues
  place: number
  problem: string | undefined
  onChange: (to: Partial<PointValues>) => void
  onRemove: () => void
}) {
  const { t } = useTranslation(['timerForm', 'automation'])
  const actions = timerFunctions[purpose ?? 'switch']
  const isSun = type === 'sun'
  const by = isSun ? point.by : 'clock'
  return (
    <>
      <div className="line-up" role="group" aria-label={t('pointNo', { no: place })}>
        {isSun && (
          <Segments
            label={t('byWhat')}
            value={by}
            options={(['rise', 'set', 'clock'] as const).map((value) => ({ value, label: t(`by.${value}`) }))}
            onChange={(to) => onChange({ by: to })}
          />
        )}
        {by === 'clock' ? (
          <ClockInput
            label={t('timeNo', { no: place })}
            value={point.at}
            invalid={problem !== undefined}
            onChange={(at) => onChange({ at })}
          />
        ) : (
          <span className="field offset">
            <input
              aria-label={t('offset')}
              inputMode="numeric"
              maxLength={4}
              value={point.offset}
              aria-invalid={problem !== undefined || undefined}
              onChange={(event) => onChange({ offset: event.target.value })}
            />
            <span className="unit">{t('minutes')}</span>
          </span>
        )}
        {actions.length > 1 ? (
          <div className="segments" role="group" aria-label={t('actionNo', { no: place })}>
            {actions.map((action) => (
              <button type="button" key={action} aria-pressed={point.action === action} onClick={() => onChange({ action })}>
                {point.action === action && <SwitchSymbol state={action === 'close' ? 'closed' : 'open'} />}
                {t(`automation:actions.${action}`)}
              </button>
            ))}
          </div>
        ) : (
          <span className="mute">{t(`automation:actions.${actions[0]}`)}</span>
        )}
        <button type="button" className="btn quiet" aria-label={t('removePoint', { no: place })} onClick={onRemove}>
          <Icon name="close" />
        </button>
      </div>
      {problem !== undefined && <Wrong text={problem} />}
    </>
  )
}

/** A time of the day, to the second where it needs one; the up and down keys step the part the caret stands in. */
function ClockInput({
  label,
  value,
  invalid,
  onChange,
}: {
  label: string
  value: string
  invalid: boolean
  onChange: (value: string) => void
}) {
  const { t } = useTranslation('timerForm')
  const field = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (caret.current !== null) field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })
  const step = (event: KeyboardEvent<HTMLInputElement>) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const at = event.currentTarget.selectionStart ?? 0
    caret.current = at
    onChange(steppedClock(value, at, by))
  }
  return (
    <span className="field clock">
      <input
        ref={field}
        aria-label={label}
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        placeholder={t('clock')}
        value={value}
        aria-invalid={invalid || undefined}
        onChange={(event) => onChange(event.target.value)}
        onBlur={() => clockText(value) !== value && onChange(clockText(value))}
        onKeyDown={step}
      />
    </span>
  )
}
