import type { Group } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../../plant/equipment.ts'
import { useLineRefs, useProjects } from '../../../plant/queries.ts'
import { Loading } from '../../../ui/body-state.tsx'
import { CloseFoot, Dialog } from '../../../ui/dialog.tsx'
import { PickField } from '../../../ui/pick-field.tsx'
import { useLineChoices } from './condition-editor.tsx'
import type { LinkageValues } from './form-values.ts'
import type { TemplateKey } from './templates.ts'
import { fromTemplate, maxTripped, startsOf, templateKeys, trippedBy } from './templates.ts'

/** Linkages that most projects want: a device and one press make one, which is then looked at and saved. */
export function TemplatesDialog({
  groups,
  house,
  onUse,
  onClose,
}: {
  groups: readonly Group[]
  /** What the tree has selected; null: everything. */
  house: number | null
  onUse: (houseId: number, values: LinkageValues) => void
  onClose: () => void
}) {
  const { t } = useTranslation('linkageForm')
  const only = groups.flatMap(({ Houses }) => Houses)
  const [houseId, setHouse] = useState(house ?? (only.length === 1 ? (only[0]?.HouseID ?? null) : null))
  return (
    <Dialog label={t('templates')} wide onClose={onClose}>
      <h2>{t('templates')}</h2>
      <div className="content">
        <p className="mute">{t('templatesHint')}</p>
        <HouseField groups={groups} houseId={houseId} onHouse={setHouse} />
        {houseId !== null && <Templates key={houseId} houseId={houseId} onUse={(values) => onUse(houseId, values)} />}
      </div>
      <CloseFoot onClose={onClose} />
    </Dialog>
  )
}

export function HouseField({
  groups,
  houseId,
  onHouse,
}: {
  groups: readonly Group[]
  houseId: number | null
  onHouse: (houseId: number) => void
}) {
  const { t } = useTranslation('linkageForm')
  return (
    <PickField
      label={t('project')}
      value={houseId === null ? '' : String(houseId)}
      placeholder={t('chooseProject')}
      options={groups.flatMap(({ Houses }) => Houses.map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name })))}
      onChange={(id) => id !== '' && onHouse(Number(id))}
    />
  )
}

function Templates({ houseId, onUse }: { houseId: number; onUse: (values: LinkageValues) => void }) {
  const { projects } = useProjects([houseId])
  const lines = useLineRefs(projects)
  if (projects.length === 0) return <Loading />
  return (
    <ul className="templates">
      {templateKeys.map((key) => (
        <Template key={key} template={key} lines={lines} onUse={onUse} />
      ))}
    </ul>
  )
}

function Template({
  template,
  lines,
  onUse,
}: {
  template: TemplateKey
  lines: readonly LineRef[]
  onUse: (values: LinkageValues) => void
}) {
  const { t } = useTranslation('linkageForm')
  const starts = startsOf(template, lines)
  const lineOptions = useLineChoices(starts)
  const [chosen, setChosen] = useState('')
  // Where there is one only, nothing has to be chosen.
  const start = starts.find(({ line }) => String(line.LineID) === chosen) ?? (starts.length === 1 ? starts[0] : undefined)
  return (
    <li>
      <span className="two-lines">
        <b>{t(`template.${template}.title`)}</b>
        <small>{starts.length === 0 ? t('noStart') : start && whatOf(t, template, start, lines)}</small>
      </span>
      {starts.length > 0 && (
        <PickField label={t('start')} value={start ? String(start.line.LineID) : ''} options={lineOptions} onChange={setChosen} />
      )}
      {starts.length > 0 && (
        <button
          type="button"
          className="btn"
          disabled={!start}
          onClick={() =>
            start && onUse(fromTemplate(template, t(`template.${template}.name`, { name: start.line.LineName }), start, lines))
          }
        >
          {t('use')}
        </button>
      )}
    </li>
  )
}

function whatOf(
  t: ReturnType<typeof useTranslation<'linkageForm'>>['t'],
  template: TemplateKey,
  start: LineRef,
  lines: readonly LineRef[],
): string {
  if (template === 'offline' || template === 'outOfHours') return t('raises')
  const { length } = trippedBy(template, start, lines)
  if (length === 0) return t('tripsChoose')
  if (length > maxTripped) return t('tooManyTrips', { count: length })
  return template === 'smoke' || template === 'gas' ? t('trips', { count: length }) : t('tripsOne')
}
