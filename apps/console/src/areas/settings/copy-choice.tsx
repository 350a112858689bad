import { maxTargets } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { localised as inWords } from '../../ui/i18n.ts'
import { shown, withUnit } from './values.ts'

/** Which of the values are handed on; one that is not known cannot be. */
export function ValueChoice({
  family,
  from,
  values,
  leftOut,
  onChange,
}: {
  family: Family
  /** What the values are of: a template's name, or a line's. */
  from: string
  values: ReadonlyMap<string, number>
  leftOut: ReadonlySet<string>
  onChange: (leftOut: ReadonlySet<string>) => void
}) {
  const { t } = useTranslation('settings')
  return (
    <fieldset>
      <legend>
        {t('values')} <small>{t('copyFrom', { name: from })}</small>
      </legend>
      {family.settings.map((setting) => {
        const value = values.get(setting.key) ?? null
        return (
          <label key={setting.key} className="option">
            <input
              type="checkbox"
              disabled={value === null}
              checked={value !== null && !leftOut.has(setting.key)}
              onChange={() => onChange(toggled(leftOut, setting.key))}
            />
            <span>{inWords(setting.label)}</span>
            <b>{value === null ? t('noValue') : withUnit(setting, value)}</b>
          </label>
        )
      })}
    </fieldset>
  )
}

/** Which lines get the values; one that may not have them is shown and cannot be chosen. */
export function TargetChoice({
  lines,
  fitting,
  chosen,
  onChange,
}: {
  lines: readonly LineRef[]
  /** Those of `lines` that may have the values. */
  fitting: readonly LineRef[]
  /** Ids of lines, also of such as do not fit any more. */
  chosen: ReadonlySet<number>
  onChange: (chosen: ReadonlySet<number>) => void
}) {
  const { t } = useTranslation('settings')
  const fits = new Set(fitting)
  const possible = fitting.slice(0, maxTargets).map(({ line }) => line.LineID)
  const everything = possible.length > 0 && possible.every((id) => chosen.has(id))
  const count = fitting.filter(({ line }) => chosen.has(line.LineID)).length
  return (
    <fieldset>
      <legend>
        {t('targets')} <small>{t('chosenLines', { count })}</small>
      </legend>
      {lines.length === 0 ? (
        <p className="mute">{t('chooseOther')}</p>
      ) : (
        <label className="option all">
          <input
            type="checkbox"
            checked={everything}
            disabled={possible.length === 0}
            onChange={() => onChange(new Set(everything ? [] : possible))}
          />
          <span>{t('chooseAll')}</span>
        </label>
      )}
      {lines.map((each) => (
        <TargetOption
          key={each.line.LineID}
          lineRef={each}
          fits={fits.has(each)}
          isChosen={chosen.has(each.line.LineID)}
          onToggle={() => onChange(toggled(chosen, each.line.LineID))}
        />
      ))}
    </fieldset>
  )
}

function TargetOption({
  lineRef: { line, gateway },
  fits,
  isChosen,
  onToggle,
}: {
  lineRef: LineRef
  fits: boolean
  isChosen: boolean
  onToggle: () => void
}) {
  const { t } = useTranslation('settings')
  return (
    <label className="option">
      <input type="checkbox" disabled={!fits} checked={fits && isChosen} onChange={onToggle} />
      <span>
        {line.LineName} <LineTag lineId={line.LineID} />
        <small>
          {gateway.GatewayName}
          {line.RatedCurrentA !== null && ` · ${t('ratedA', { value: shown(line.RatedCurrentA) })}`}
        </small>
      </span>
      {!fits && <em className="alarm">{t('outOfRangeHere')}</em>}
    </label>
  )
}

function toggled<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const after = new Set(set)
  if (!after.delete(item)) after.add(item)
  return after
}
