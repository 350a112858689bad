import { maxHistoryPoints } from '@linewarden/contract'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { QueryState } from '../../app/net/combined-query.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import type { LineRef, Selection } from '../../plant/equipment.ts'
import { isCalled, isSelected } from '../../plant/equipment.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Place } from '../../ui/place.tsx'
import type { AddressPoint } from './address.ts'

const maxListed = 40

/** Points of the lines that the tree has selected, or of any line by name; up to eight. */
export function PointPicker(props: {
  lines: readonly LineRef[]
  selection: Selection
  points: readonly AddressPoint[]
  /** Projects whose lines are not here; null: all are. */
  lacking: QueryState | null
  /** The selection has more lines than can be listed: one of its projects must be selected. */
  isTooMuch: boolean
  onChange: (points: readonly AddressPoint[]) => void
  onClose: () => void
}) {
  const { lines, selection, points, lacking, isTooMuch, onChange, onClose } = props
  const { t } = useTranslation('history')
  const [search, setSearch] = useState('')
  const found = useMemo(
    () => lines.filter(search.trim() === '' ? (each) => isSelected(each, selection) : isCalled(search)),
    [lines, selection, search],
  )
  const full = points.length >= maxHistoryPoints
  const isChosen = (line: number, point: string) => points.some((each) => each.line === line && each.point === point)
  const toggle = (house: number, line: number, point: string) =>
    onChange(
      isChosen(line, point)
        ? points.filter((each) => each.line !== line || each.point !== point)
        : [...points, { house, line, point }],
    )
  return (
    <Dialog label={t('addPoints')} onClose={onClose}>
      <h2>{t('addPoints')}</h2>
      <div className="content point-picker">
        <span className="mute" role="status">
          {full ? t('maxReached', { most: maxHistoryPoints }) : t('points', { count: points.length, most: maxHistoryPoints })}
        </span>
        <label className="field">
          <Icon name="search" />
          <input
            type="search"
            placeholder={t('search')}
            aria-label={t('search')}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        <ul className="offered">
          {found.slice(0, maxListed).map(({ line, gateway, device, project, family }) => (
            <li key={line.LineID}>
              <p>
                <b>{line.LineName}</b> <LineTag lineId={line.LineID} />
                <span className="mute">
                  <Place names={[gateway.GatewayName, device.Name]} between=" · " />
                </span>
              </p>
              <div className="keys">
                {(family?.points ?? []).map((point) => (
                  <button
                    type="button"
                    key={point.key}
                    className="btn small"
                    aria-pressed={isChosen(line.LineID, point.key)}
                    disabled={full && !isChosen(line.LineID, point.key)}
                    onClick={() => toggle(project.HouseID, line.LineID, point.key)}
                  >
                    {localised(point.label)}
                  </button>
                ))}
              </div>
            </li>
          ))}
          {found.length === 0 && (isTooMuch || !lacking) && (
            <li className="mute">{isTooMuch ? t('selectProject') : t('noLine')}</li>
          )}
          {found.length > maxListed && <li className="mute">{t('moreLines', { count: found.length - maxListed })}</li>}
          {!isTooMuch && lacking && (
            <li>
              <Unloaded query={lacking} />
            </li>
          )}
        </ul>
      </div>
      <div className="foot">
        <button type="button" className="btn primary" onClick={onClose}>
          {t('done')}
        </button>
      </div>
    </Dialog>
  )
}
