import type { SceneAction } from '@linewarden/rules/automation'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LineTag, TaggedNote } from '../../../plant/tag-mark.tsx'
import { Segments } from '../../../ui/fields.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { ChosenLine, ChosenLines } from './chosen-lines.ts'
import { lineKey, movedTo, withAction, withoutLines } from './chosen-lines.ts'
import { SceneIcon } from './scene-icon.tsx'

/** The lines of a scene in the order in which it runs: trips, then closes, which are sorted by drag, by button, or by key. */
export function ChosenList({ chosen, onChange }: { chosen: ChosenLines; onChange: (chosen: ChosenLines) => void }) {
  const { t } = useTranslation('scenes')
  const [announced, setAnnounced] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const move = (from: number, to: number) => {
    const after = movedTo(chosen, from, to)
    const line = chosen.close[from]
    if (after === chosen || !line) return
    onChange(after)
    setAnnounced(t('movedTo', { name: line.LineName, at: after.close.indexOf(line) + 1, of: after.close.length }))
  }
  const change = (line: ChosenLine, action: SceneAction) => onChange(withAction(chosen, line, action))
  const takeOut = (line: ChosenLine) => onChange(withoutLines(chosen, new Set([lineKey(line)])))
  return (
    <div className="chosen-lines">
      <section aria-label={t('chosenTrips', { count: chosen.trip.length })}>
        <h3>{t('chosenTrips', { count: chosen.trip.length })}</h3>
        {chosen.trip.length === 0 && <p className="mute">{t('noneInGroup')}</p>}
        <ol>
          {chosen.trip.map((line) => (
            <li key={lineKey(line)}>
              <ChosenRow line={line} action="trip" onAction={(to) => change(line, to)} onTakeOut={() => takeOut(line)} />
            </li>
          ))}
        </ol>
      </section>
      <section aria-label={t('chosenCloses', { count: chosen.close.length })}>
        <h3>{t('chosenCloses', { count: chosen.close.length })}</h3>
        <TaggedNote lineIds={chosen.close.map(({ LineID }) => LineID)} />
        {chosen.close.length === 0 && <p className="mute">{t('noneInGroup')}</p>}
        <ol ref={list}>
          {chosen.close.map((line, index) => (
            <li key={lineKey(line)}>
              <Grip line={line} index={index} list={list.current} onMove={(to) => move(index, to)} />
              <span className="no">{index + 1}</span>
              <ChosenRow line={line} action="close" onAction={(to) => change(line, to)} onTakeOut={() => takeOut(line)}>
                <button
                  type="button"
                  className="btn quiet step"
                  aria-label={t('up', { name: line.LineName })}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  <Icon name="sortUp" />
                </button>
                <button
                  type="button"
                  className="btn quiet step"
                  aria-label={t('down', { name: line.LineName })}
                  disabled={index === chosen.close.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  <Icon name="sortDown" />
                </button>
              </ChosenRow>
            </li>
          ))}
        </ol>
      </section>
      <span className="hidden-visually" aria-live="polite">
        {announced}
      </span>
    </div>
  )
}

/** Sorts by drag with mouse or finger, and by arrow keys, Home and End. */
function Grip({
  line,
  index,
  list,
  onMove,
}: {
  line: ChosenLine
  index: number
  list: HTMLOListElement | null
  onMove: (to: number) => void
}) {
  const { t } = useTranslation('scenes')
  const [dragging, setDragging] = useState(false)
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: Number.MAX_SAFE_INTEGER }[event.key]
    if (to === undefined) return
    event.preventDefault()
    onMove(to)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (!dragging) return
    const rows = [...(list?.children ?? [])]
    const over = rows.findIndex((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return event.clientY >= top && event.clientY < bottom
    })
    if (over >= 0 && over !== index) onMove(over)
  }
  return (
    <button
      type="button"
      className={dragging ? 'grip dragging' : 'grip'}
      aria-label={t('moveOf', { name: line.LineName, at: index + 1 })}
      title={t('moveHint')}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragging(true)
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => setDragging(false)}
      onPointerCancel={() => setDragging(false)}
    >
      <SceneIcon name="grip" />
    </button>
  )
}

function ChosenRow({
  line,
  action,
  onAction,
  onTakeOut,
  children,
}: {
  line: ChosenLine
  action: SceneAction
  onAction: (action: SceneAction) => void
  onTakeOut: () => void
  children?: ReactNode
}) {
  const { t } = useTranslation('scenes')
  return (
    <>
      <span className="name">
        <bdi>{line.LineName}</bdi> <LineTag lineId={line.LineID} />
        <small className="mute">
          <bdi>{line.place}</bdi> · {t('deviceNo', { device: line.ControllerID, no: line.LineNo })}
        </small>
      </span>
      <span className="acts">
        {children}
        <Segments
          label={t('actionOf', { name: line.LineName })}
          value={action}
          options={[
            { value: 'trip', label: t('does.trip') },
            { value: 'close', label: t('does.close') },
          ]}
          onChange={(to) => to !== action && onAction(to)}
        />
        <button type="button" className="btn quiet" aria-label={t('takeOut', { name: line.LineName })} onClick={onTakeOut}>
          <Icon name="close" />
        </button>
      </span>
    </>
  )
}
