import type { Family } from '@linewarden/equipment'
import type { Comparison, Truth } from '@linewarden/rules/automation'
import { comparisons } from '@linewarden/rules/automation'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../../plant/equipment.ts'
import { useLine } from '../../../plant/live-store.ts'
import { tagsOn } from '../../../plant/tag-counts.ts'
import { TagMark } from '../../../plant/tag-mark.tsx'
import { useTagCounts } from '../../../plant/tagged-lines.ts'
import { localised } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { PickField } from '../../../ui/pick-field.tsx'
import type { Choice } from '../../../ui/pick-list.tsx'
import { signOf, valueText } from './condition-facts.ts'
import { FigureField } from './figure-field.tsx'
import type { ConditionValues } from './form-values.ts'
import { hasRelease, proposedRelease } from './form-values.ts'
import { truthNow, valueNow } from './now-values.ts'
import type { SourceChoice } from './source-words.ts'
import { sourceChoices } from './source-words.ts'

export type ProblemOf = (path: string) => string | null

/** One condition: what is read of which line, against what, and how that stands at this moment. */
export function ConditionEditor({
  values,
  path,
  lines,
  problemOf,
  onChange,
  onRemove,
}: {
  values: ConditionValues
  /** `Conditions.0`. */
  path: string
  lines: readonly LineRef[]
  problemOf: ProblemOf
  onChange: (values: ConditionValues) => void
  /** Null: it is the only one. */
  onRemove: (() => void) | null
}) {
  const { t } = useTranslation('linkageForm')
  const lineOptions = useLineChoices(lines)
  const start = lines.find(({ line }) => String(line.LineID) === values.LineID) ?? null
  const choices = start?.family ? sourceChoices(start.family) : []
  const chosen = choices.find(({ kind, key }) => `${kind} ${key}` === values.source) ?? null
  const set = (change: Partial<ConditionValues>) => onChange({ ...values, ...change })
  const choose = (source: string) => {
    const next = choices.find(({ kind, key }) => `${kind} ${key}` === source)
    const isWord = next !== undefined && next.values !== null
    set({ source, released: '', ...(isWord ? { Op: '=', Value: next.kind === 'link' ? '0' : '1' } : { Op: '>', Value: '' }) })
  }
  return (
    <li className="condition-editor">
      <div className="condition-what">
        <PickField
          label={t('line')}
          value={values.LineID}
          options={[...goneChoice(values.gone === null ? null : values.LineID, values.gone || t('goneLine')), ...lineOptions]}
          onChange={(LineID) => set({ LineID, source: '', Value: '', released: '', gone: null })}
          error={
            problemOf(`${path}.LineNo`) ??
            problemOf(`${path}.ControllerID`) ??
            problemOf(path) ??
            (values.gone === null ? null : t('lineGone'))
          }
        />
        <SourceField
          family={start?.family ?? null}
          value={values.source}
          onChange={choose}
          error={problemOf(`${path}.Key`) ?? problemOf(`${path}.Kind`)}
        />
        {onRemove && (
          <button type="button" className="btn quiet" aria-label={t('removeRow')} title={t('removeRow')} onClick={onRemove}>
            <Icon name="trash" />
          </button>
        )}
      </div>
      <Against {...{ values, path, start, chosen, problemOf }} onChange={set} />
    </li>
  )
}

/** The comparison, its limit and release, how long it must be so, and how it stands at this moment. */
function Against({
  values,
  path,
  start,
  chosen,
  problemOf,
  onChange: set,
}: {
  values: ConditionValues
  path: string
  start: LineRef | null
  chosen: SourceChoice | null
  problemOf: ProblemOf
  onChange: (change: Partial<ConditionValues>) => void
}) {
  const { t } = useTranslation('linkageForm')
  const words = chosen?.values ?? null
  const proposed = chosen ? proposedRelease(values, chosen.precision) : null
  return (
    <div className="condition-against">
      <label className="form-field narrow">
        <span>{t('comparison')}</span>
        <select value={values.Op} onChange={(event) => set({ Op: event.target.value as Comparison })}>
          {(words ? (['=', '!='] as const) : comparisons).map((op) => (
            <option key={op} value={op}>
              {signOf(op)}
            </option>
          ))}
        </select>
      </label>
      {words ? (
        <label className="form-field">
          <span>{t('limit')}</span>
          <select value={values.Value} onChange={(event) => set({ Value: event.target.value })}>
            {words.map((word, code) => (
              <option key={word.en} value={String(code)}>
                {localised(word)}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <FigureField
          label={t('limit')}
          value={values.Value}
          unit={chosen?.unit ?? ''}
          onChange={(Value) => set({ Value })}
          error={problemOf(`${path}.Value`)}
        />
      )}
      {chosen && hasRelease(chosen.kind, values.Op) && (
        <FigureField
          label={t('released')}
          value={values.released}
          placeholder={proposed === null ? '' : String(proposed)}
          unit={chosen.unit}
          onChange={(released) => set({ released })}
          error={problemOf(`${path}.Release`)}
        />
      )}
      <FigureField
        label={t('forS')}
        value={values.ForS}
        unit={t('seconds')}
        onChange={(ForS) => set({ ForS })}
        error={problemOf(`${path}.ForS`)}
      />
      {start && chosen && <ConditionNow start={start} values={values} />}
    </div>
  )
}

/** Lines to pick from, each with its lock-out tags. */
export function useLineChoices(lines: readonly LineRef[]): readonly Choice[] {
  const tags = useTagCounts()
  return lines.map(({ line, gateway }) => ({
    ...{ value: String(line.LineID), label: line.LineName, note: gateway.GatewayName },
    beside: <TagMark count={tagsOn(tags, line.LineID)} />,
  }))
}

/** What a row names and is no longer there: it is called by its name until somebody chooses another. */
export const goneChoice = (value: string | null, label: string) => (value === null ? [] : [{ value, label }])

const groups = [
  ['point', 'points'],
  ['state', 'states'],
  ['alarm', 'alarms'],
  ['link', 'link'],
] as const

function SourceField({
  family,
  value,
  onChange,
  error,
}: {
  family: Family | null
  value: string
  onChange: (source: string) => void
  error: string | null
}) {
  const { t } = useTranslation('linkageForm')
  const choices = family ? sourceChoices(family) : []
  return (
    <label className={error ? 'form-field wrong' : 'form-field'}>
      <span>{t('point')}</span>
      <select
        value={value}
        disabled={!family}
        aria-invalid={error ? true : undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="" />
        {groups.map(([kind, name]) => (
          <optgroup key={kind} label={t(name)}>
            {choices
              .filter((each) => each.kind === kind)
              .map(({ key, label }) => (
                <option key={key} value={`${kind} ${key}`}>
                  {localised(label)}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      {error && <small role="alert">{error}</small>}
    </label>
  )
}

/** What it reads at this moment, and whether that meets it. */
function ConditionNow({ start, values }: { start: LineRef; values: ConditionValues }) {
  const { t } = useTranslation(['linkageForm', 'linkages'])
  const state = useLine(start.line.LineID)
  const [Kind = '', ...key] = values.source.split(' ')
  const Key = key.join(' ')
  const value = valueNow(start, state, Kind, Key)
  const truth = truthNow(values, value)
  return (
    <span className="condition-current">
      <small>{t('nowValue')}</small>
      <b>{wordOf(t, truth)}</b>
      <small>{valueText({ Kind: Kind as 'point', Key }, start.family, value)}</small>
    </span>
  )
}

const wordOf = (t: ReturnType<typeof useTranslation<['linkageForm', 'linkages']>>['t'], truth: Truth): string =>
  t(truth === 'unknown' ? 'linkages:unknownNow' : truth ? 'linkages:trueNow' : 'linkages:falseNow')
