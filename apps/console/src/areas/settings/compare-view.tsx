import type { LineSettings, SettingTemplate } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { Empty } from '../../ui/body-state.tsx'
import { FilterSelect } from '../../ui/fields.tsx'
import type { Counterpart } from './compare.ts'
import { compare, differingValues } from './compare.ts'
import { CompareTable } from './compare-table.tsx'
import { useLineSettings, useTemplates } from './queries.ts'

/** This line beside another one, or beside a template: what the equipment reports, and where it differs. */
export function CompareView({
  family,
  line,
  all,
  onFill,
}: {
  family: Family
  line: LineSettings
  all: readonly LineRef[]
  onFill: (values: Readonly<Record<string, number>>) => void
}) {
  const { t } = useTranslation('settings')
  const kept = useTemplates(family.key)
  const templates = kept.data ?? []
  const others = all.filter((each) => each.family === family && each.line.LineID !== line.LineID)
  const { counterpart, lineRef, reported } = useCounterpart(templates, others)
  const comparisons = compare(family, line, counterpart)
  const values = differingValues(comparisons)
  const differing = comparisons.filter(({ same }) => !same).length
  return (
    <div className="comparing">
      <div className="bar">
        <CounterpartFilter templates={templates} others={others} />
        {counterpart && <span role="status">{differing === 0 ? t('equal') : t('differs', { count: differing })}</span>}
        <span className="grow" />
        <ReasonedButton
          className="btn"
          reason={Object.keys(values).length === 0 ? t('pickLine') : null}
          onClick={() => onFill(values)}
        >
          {t('toForm')}
        </ReasonedButton>
      </div>
      <Unloaded query={kept} />
      {lineRef && <Unloaded query={reported} />}
      {counterpart ? (
        <CompareTable name={line.LineName} against={counterpart.name} comparisons={comparisons} />
      ) : (
        kept.data && !lineRef && <Empty title={t('pickLine')} />
      )}
    </div>
  )
}

/** What the address names to compare with; null: nothing, or it is not here yet. Of a line `reported` is what it is waited for. */
function useCounterpart(templates: readonly SettingTemplate[], others: readonly LineRef[]) {
  const [query] = useSearchParams()
  const [kind, id] = (query.get('with') ?? '').split(':')
  const template = kind === 'template' ? templates.find(({ TemplateID }) => String(TemplateID) === id) : undefined
  const lineRef = kind === 'line' ? others.find(({ line }) => String(line.LineID) === id) : undefined
  const reported = useLineSettings(useMemo(() => (lineRef ? [lineRef] : []), [lineRef]))
  const other = reported.data?.[0]
  return { counterpart: template ? ofTemplate(template) : lineRef && other ? ofLine(lineRef, other) : null, lineRef, reported }
}

const ofTemplate = ({ Name, Settings }: SettingTemplate): Counterpart => ({
  name: Name,
  values: new Map(Settings.map(({ Key, Value }) => [Key, Value])),
  isTemplate: true,
})

const ofLine = ({ line }: LineRef, { Settings }: LineSettings): Counterpart => ({
  name: line.LineName,
  values: new Map(Settings.map(({ Key, Reported, Desired }) => [Key, Reported ?? Desired])),
  isTemplate: false,
})

function CounterpartFilter({ templates, others }: { templates: readonly SettingTemplate[]; others: readonly LineRef[] }) {
  const { t } = useTranslation('settings')
  const [query, setQuery] = useSearchParams()
  return (
    <FilterSelect
      label={t('pickLine')}
      value={query.get('with') ?? ''}
      options={[
        ...templates.map(({ TemplateID, Name }) => ({ value: `template:${TemplateID}`, label: `${t('template')} · ${Name}` })),
        ...others.map(({ line, gateway }) => ({
          value: `line:${line.LineID}`,
          label: `${line.LineName} · ${gateway.GatewayName}`,
        })),
      ]}
      onChange={(value) =>
        setQuery((before) => {
          if (value === '') before.delete('with')
          else before.set('with', value)
          return before
        })
      }
    />
  )
}
