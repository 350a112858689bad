import type { WarningRule } from '@linewarden/contract'
import { maxRuleLines } from '@linewarden/contract'
import { families } from '@linewarden/equipment'
import { targetKinds } from '@linewarden/rules/warning'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../../plant/equipment.ts'
import { tagsOn } from '../../../plant/tag-counts.ts'
import { TagMark } from '../../../plant/tag-mark.tsx'
import { useTagCounts } from '../../../plant/tagged-lines.ts'
import { Segments } from '../../../ui/fields.tsx'
import { localised } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { PickFilter } from '../../../ui/pick-field.tsx'
import type { Choice } from '../../../ui/pick-list.tsx'

type Targets = WarningRule['Targets']

/** To which lines a rule is applied: all, those of some families, or lines one by one; and which it leaves out. */
export function TargetPicker({
  targets,
  except,
  changed,
  lines,
  disabled,
  onTargets,
  onExcept,
}: {
  targets: Targets
  except: readonly number[]
  changed: boolean
  lines: readonly LineRef[] | null
  disabled: boolean
  onTargets: (targets: Targets) => void
  onExcept: (except: readonly number[]) => void
}) {
  const { t } = useTranslation('warningRules')
  const tags = useTagCounts()
  const choices = (lines ?? []).map(
    ({ line, gateway }): Choice => ({
      ...{ value: String(line.LineID), label: line.LineName, note: gateway.GatewayName },
      beside: <TagMark count={tagsOn(tags, line.LineID)} />,
    }),
  )
  const kinds = targetKinds.filter((kind) => kind !== 'lines' || lines !== null || targets.Kind === 'lines')
  const lineIds = (ids: readonly string[]) => ids.map(Number).slice(0, maxRuleLines)
  return (
    <div className={changed ? 'rule-targets changed' : 'rule-targets'}>
      {disabled ? (
        <b>{t(`targetKinds.${targets.Kind}`)}</b>
      ) : (
        <Segments
          label={t('targets')}
          value={targets.Kind}
          options={kinds.map((value) => ({ value, label: t(`targetKinds.${value}`) }))}
          onChange={(Kind) => onTargets({ Kind, Families: [], LineIDs: [] })}
        />
      )}
      {targets.Kind === 'families' && (
        <Chosen
          label={t('targetKinds.families')}
          add={t('addFamily')}
          chosen={targets.Families}
          choices={families.map(({ key, label }): Choice => ({ value: key, label: localised(label) }))}
          disabled={disabled}
          onChange={(Families) => onTargets({ ...targets, Families: [...Families] })}
        />
      )}
      {targets.Kind === 'lines' && (
        <Chosen
          label={t('targetKinds.lines')}
          add={t('addLine')}
          chosen={targets.LineIDs.map(String)}
          choices={choices}
          disabled={disabled || lines === null}
          onChange={(ids) => onTargets({ ...targets, LineIDs: lineIds(ids) })}
        />
      )}
      {(lines !== null || except.length > 0) && (
        <Chosen
          label={t('except')}
          add={t('addLine')}
          chosen={except.map(String)}
          choices={choices}
          disabled={disabled || lines === null}
          onChange={(ids) => onExcept(lineIds(ids))}
        />
      )}
      {lines === null && !disabled && <span className="mute">{t('exceptByProject')}</span>}
    </div>
  )
}

/** What was chosen of many, one chip each, and a field that finds more by typing. */
function Chosen({
  label,
  add,
  chosen,
  choices,
  disabled,
  onChange,
}: {
  label: string
  add: string
  chosen: readonly string[]
  choices: readonly Choice[]
  disabled: boolean
  onChange: (chosen: readonly string[]) => void
}) {
  const { t } = useTranslation('warningRules')
  const [adding, setAdding] = useState(false)
  const names = new Map(choices.map((choice) => [choice.value, choice.label]))
  return (
    <span className="chosen-things" role="group" aria-label={label}>
      <span className="mute">{label}</span>
      {chosen.map((each) => {
        const name = names.get(each) ?? t('unknownThing', { id: each })
        return disabled ? (
          <span className="chip" key={each}>
            {name}
          </span>
        ) : (
          <button
            type="button"
            className="chip"
            key={each}
            aria-label={t('takeOut', { name })}
            onClick={() => onChange(chosen.filter((other) => other !== each))}
          >
            {name}
            <Icon name="close" />
          </button>
        )
      })}
      {chosen.length === 0 && disabled && <span>{t('noneChosen')}</span>}
      {!disabled &&
        (adding ? (
          <PickFilter
            label={add}
            value=""
            options={choices.filter(({ value }) => !chosen.includes(value))}
            onChange={(value) => {
              if (value === '') return
              onChange([...chosen, value])
              setAdding(false)
            }}
          />
        ) : (
          <button type="button" className="btn quiet small" onClick={() => setAdding(true)}>
            <Icon name="plus" />
            {add}
          </button>
        ))}
    </span>
  )
}
