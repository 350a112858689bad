import type { Project } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineRef, Selection } from '../../plant/equipment.ts'
import { isCalled } from '../../plant/equipment.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { Empty } from '../../ui/body-state.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { Place } from '../../ui/place.tsx'
import { targetAt } from './change-rows.ts'
import { shown } from './values.ts'
import './choose-line.css'

/** More than these nobody reads through: a word of the name finds it. */
const maxShown = 100

/** Asks for the line to set: never the one that happens to stand first. Of several projects, for the project first. */
export function ChooseLine({
  projects,
  lines,
  onSelect,
}: {
  /** Those of the selection that have lines. */
  projects: readonly Project[]
  /** The lines of the only one. */
  lines: readonly LineRef[]
  onSelect: (to: Selection) => void
}) {
  const { t } = useTranslation('settings')
  const [search, setSearch] = useState('')
  const settable = lines.filter(({ family }) => (family?.settings.length ?? 0) > 0)
  const found = settable.filter(isCalled(search))
  const isOfProjects = projects.length > 1
  if (!isOfProjects && settable.length === 0) return <Empty title={t('noLine')} hint={t('noneToSet')} />
  return (
    <div className="choose-line">
      <h2>{t('noLine')}</h2>
      <p className="mute">{t('noLineHint')}</p>
      {isOfProjects ? (
        <ul aria-label={t('projectsToSet')}>
          {projects.map(({ HouseID, Name }) => (
            <li key={HouseID}>
              <button type="button" onClick={() => onSelect({ kind: 'house', id: HouseID })}>
                <bdi>{Name}</bdi>
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <>
          <SearchField label={t('findLine')} value={search} onChange={setSearch} />
          {found.length === 0 && <p className="mute">{t('noneCalled', { text: search })}</p>}
          <ul aria-label={t('linesToSet')}>
            {found.slice(0, maxShown).map((lineRef) => (
              <LineChoice key={lineRef.line.LineID} lineRef={lineRef} onSelect={onSelect} />
            ))}
          </ul>
          {found.length > maxShown && <p className="mute">{t('moreToSet', { count: found.length - maxShown })}</p>}
        </>
      )}
    </div>
  )
}

function LineChoice({ lineRef, onSelect }: { lineRef: LineRef; onSelect: (to: Selection) => void }) {
  const { t } = useTranslation('settings')
  const { project, line, device } = lineRef
  const [, ...place] = targetAt(lineRef).place
  return (
    <li>
      <button type="button" onClick={() => onSelect({ kind: 'line', house: project.HouseID, id: line.LineID })}>
        <span className="named-line">
          <bdi>{line.LineName}</bdi>
          <LineTag lineId={line.LineID} />
        </span>
        <small className="mute">
          <Place names={place} />
          {` · ${device.Model}`}
          {line.RatedCurrentA !== null && ` · ${t('ratedA', { value: shown(line.RatedCurrentA) })}`}
        </small>
      </button>
    </li>
  )
}
