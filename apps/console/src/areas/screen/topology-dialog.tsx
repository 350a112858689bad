import { saveTopology } from '@linewarden/contract'
import { supplyKinds, topologyLimits } from '@linewarden/rules/screen'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import type { SourceValues, TieValues, TopologyValues } from './topology-values.ts'
import { oneMore, topologyOf, topologyStart } from './topology-values.ts'
import type { Plant } from './use-plant.ts'
import './topology-dialog.css'

interface Choice {
  readonly value: string
  readonly label: string
}

/** What supplies a project: its sources with their transformers, names of buses, and ties (供电接线). */
export function TopologyDialog({ plant, onClose }: { plant: Plant; onClose: () => void }) {
  const { t } = useTranslation(['screen', 'app'])
  // As it was read for this form, whatever is read behind it.
  const [opened] = useState(plant.topology)
  const form = useForm<TopologyValues>(topologyStart(opened), () => ({}))
  const { sources, ties, buses } = form.values
  const set = (values: Partial<TopologyValues>) => {
    if (values.sources) form.set('sources', values.sources)
    if (values.ties) form.set('ties', values.ties)
    if (values.buses) form.set('buses', values.buses)
  }
  const choices = useChoices(plant, form.values)
  const save = async () => {
    const body = topologyOf(form.values, opened.Version)
    if (!body) return t('topologyIncomplete')
    try {
      await change(saveTopology, { params: { HouseID: plant.project.HouseID }, body })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={t('topology')} submit={t('app:save')} wide onSubmit={save} onClose={onClose}>
      {sources.map((source, at) => (
        <SourceFields
          key={source.id}
          source={source}
          isFirst={at === 0}
          bus={buses[`source:${source.id}`] ?? ''}
          choices={choices.roots}
          onChange={(to) => set({ sources: sources.map((each) => (each === source ? to : each)) })}
          onBus={(name) => set({ buses: { ...buses, [`source:${source.id}`]: name } })}
          {...(sources.length > 1 && { onRemove: () => set({ sources: sources.filter((each) => each !== source) }) })}
        />
      ))}
      {sources.length < topologyLimits.sources && (
        <button
          type="button"
          className="btn small"
          onClick={() => set({ sources: [...sources, oneMore(sources, t('kinds.grid'))] })}
        >
          {t('addSource')}
        </button>
      )}
      {ties.map((tie) => (
        <TieFields
          key={tie.key}
          tie={tie}
          {...choices}
          onChange={(to) => set({ ties: ties.map((each) => (each === tie ? to : each)) })}
          onRemove={() => set({ ties: ties.filter((each) => each !== tie) })}
        />
      ))}
      {ties.length < topologyLimits.ties && (
        <button
          type="button"
          className="btn small"
          onClick={() =>
            set({ ties: [...ties, { key: Math.max(0, ...ties.map(({ key }) => key)) + 1, line: '', busA: '', busB: '' }] })
          }
        >
          {t('addTie')}
        </button>
      )}
    </FormDialog>
  )
}

/** Lines that may hang on a source or be a tie, and buses that a tie may join. */
function useChoices({ lines, graph, byId }: Plant, { sources, buses }: TopologyValues) {
  return useMemo(() => {
    const named = (lineId: number): Choice & { readonly note: string } => {
      const lineRef = byId.get(lineId)
      return { value: String(lineId), label: lineRef?.line.LineName ?? String(lineId), note: lineRef?.gateway.GatewayName ?? '' }
    }
    const roots = lines.filter(({ line }) => line.FedBy === null).map(({ line }) => named(line.LineID))
    const ofSources = sources.map(({ id, name, transformer }) => {
      const key = `source:${id}`
      return { value: key, label: buses[key]?.trim() || transformer.trim() || name, note: '' }
    })
    const ofLines = [...graph.fed.keys()].map((id) => {
      const { label, note } = named(id)
      return { value: `line:${id}`, label: buses[`line:${id}`]?.trim() || label, note }
    })
    return { roots, tieLines: roots.filter(({ value }) => !graph.fed.has(Number(value))), busChoices: [...ofSources, ...ofLines] }
  }, [lines, graph, byId, sources, buses])
}

function SourceFields({
  source,
  isFirst,
  bus,
  choices,
  onChange,
  onBus,
  onRemove,
}: {
  source: SourceValues
  isFirst: boolean
  bus: string
  choices: readonly Choice[]
  onChange: (to: SourceValues) => void
  onBus: (name: string) => void
  onRemove?: () => void
}) {
  const { t } = useTranslation('screen')
  const field = (key: 'name' | 'transformer' | 'kva' | 'highKv' | 'lowKv') => ({
    value: source[key],
    onChange: (value: string) => onChange({ ...source, [key]: value }),
  })
  const chosen = choices.filter(({ value }) => source.lines.includes(Number(value)))
  return (
    <fieldset className="topology-part">
      <legend>{source.name}</legend>
      <div className="form-grid">
        <SelectField
          label={t('sourceKind')}
          value={source.kind}
          options={supplyKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          onChange={(kind) => onChange({ ...source, kind: kind as SourceValues['kind'] })}
        />
        <TextField label={t('sourceName')} maxLength={40} required {...field('name')} />
        <TextField label={t('transformerName')} maxLength={40} {...field('transformer')} />
        <TextField label={t('rating')} unit="kVA" inputMode="decimal" maxLength={9} hint={t('ratingHint')} {...field('kva')} />
        <TextField label={t('highVoltage')} unit="kV" inputMode="decimal" maxLength={6} {...field('highKv')} />
        <TextField label={t('lowVoltage')} unit="kV" inputMode="decimal" maxLength={6} {...field('lowKv')} />
        <TextField label={t('busName')} maxLength={40} value={bus} onChange={onBus} />
        <PickField
          label={t('linesOfSource')}
          hint={isFirst ? t('linesOfFirst') : t('linesOfOther')}
          value=""
          placeholder={t('addLine')}
          options={choices.filter((each) => !chosen.includes(each))}
          onChange={(value) => value !== '' && onChange({ ...source, lines: [...source.lines, Number(value)] })}
        />
      </div>
      {chosen.length > 0 && (
        <ul className="topology-lines">
          {chosen.map(({ value, label }) => (
            <li key={value}>
              <bdi>{label}</bdi>
              <button
                type="button"
                className="btn small quiet"
                aria-label={t('takeOut', { name: label })}
                onClick={() => onChange({ ...source, lines: source.lines.filter((each) => String(each) !== value) })}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {onRemove && (
        <button type="button" className="btn small quiet" onClick={onRemove}>
          {t('removeSource')}
        </button>
      )}
    </fieldset>
  )
}

function TieFields({
  tie,
  tieLines,
  busChoices,
  onChange,
  onRemove,
}: {
  tie: TieValues
  tieLines: readonly Choice[]
  busChoices: readonly Choice[]
  onChange: (to: TieValues) => void
  onRemove: () => void
}) {
  const { t } = useTranslation('screen')
  return (
    <fieldset className="topology-part">
      <legend>{t('tie')}</legend>
      <div className="form-grid">
        <PickField
          label={t('tieSwitch')}
          required
          value={tie.line}
          placeholder={t('addLine')}
          options={tieLines}
          onChange={(line) => onChange({ ...tie, line })}
        />
        {(['busA', 'busB'] as const).map((end) => (
          <PickField
            key={end}
            label={t(end)}
            required
            value={tie[end]}
            placeholder={t('chooseBus')}
            options={busChoices}
            onChange={(bus) => onChange({ ...tie, [end]: bus })}
          />
        ))}
      </div>
      <button type="button" className="btn small quiet" onClick={onRemove}>
        {t('removeTie')}
      </button>
    </fieldset>
  )
}
