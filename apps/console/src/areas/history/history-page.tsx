import type { HistoryPoint } from '@linewarden/contract'
import { mostHistoryPoints, zoneClock } from '@linewarden/contract'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { messageOf } from '../../app/api.ts'
import { Empty, Failed, Loading } from '../../ui/body-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { PlacedLine } from '../monitor/equipment.ts'
import { isSelected, linesOf, readSelection } from '../monitor/equipment.ts'
import { useTree } from '../monitor/queries.ts'
import type { HistoryAddress, TimeRange } from './address.ts'
import { pointsText, presets, readAddress } from './address.ts'
import { ExportButtons } from './export-buttons.tsx'
import { PointPicker } from './point-picker.tsx'
import { RangeBar } from './range-bar.tsx'
import type { ChosenPoint } from './subject.ts'
import { chosenOf, firstPoints, nameOf } from './subject.ts'
import { View } from './view.tsx'
import './history-page.css'

/** What happened? Up to eight points of any lines over any range; everything stands in the address. */
export function HistoryPage() {
  const { t } = useTranslation('history')
  const tree = useTree()
  const all = useMemo(() => (tree.data ? linesOf(tree.data.Groups) : []), [tree.data])
  if (tree.isError) return <main className="page">{<Failed message={messageOf(tree.error)} retry={() => tree.refetch()} />}</main>
  if (!tree.data) {
    return (
      <main className="page" aria-label={t('title')}>
        <Loading />
      </main>
    )
  }
  return <Loaded all={all} />
}

function Loaded({ all }: { all: readonly PlacedLine[] }) {
  const { t } = useTranslation('history')
  const [query, setQuery] = useSearchParams()
  const [picking, setPicking] = useState(false)
  const address = useMemo(() => readAddress(query), [query])
  const points = useMemo(() => address.points ?? pointsOfTree(query.get('at'), all), [address, query, all])
  const chosen = useMemo(() => chosenOf(points, all), [points, all])
  const known = useMemo(() => chosen.map(({ placed, point }) => ({ LineID: placed.line.LineID, Point: point.key })), [chosen])
  const [now, setNow] = useState(thisSecond)
  const range = useMemo(() => rangeOf(address, now), [address, now])
  const project = (chosen[0]?.placed ?? all[0])?.project
  const zoneName = project?.TimeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const zone = useMemo(() => zoneClock(zoneName), [zoneName])
  const [body, width] = useWidth()

  const set = (change: Readonly<Record<string, string | null>>) =>
    setQuery(
      (before) => {
        for (const [name, value] of Object.entries(change))
          if (value === null) before.delete(name)
          else before.set(name, value)
        return before
      },
      { replace: true },
    )
  const setPoints = (next: readonly HistoryPoint[]) => set({ points: pointsText(next) })
  const setRange = ({ from, to }: TimeRange) => set({ from: String(from), to: String(to), last: null })
  const remove = (gone: ChosenPoint) =>
    setPoints(known.filter(({ LineID, Point }) => LineID !== gone.placed.line.LineID || Point !== gone.point.key))
  return (
    <main className="page history" data-phases={project?.Standard === 'IEC' ? 'iec' : undefined}>
      <div className="head">
        <h1>{t('title')}</h1>
        <span className="grow" />
        <RangeBar
          address={address}
          range={range}
          zone={zone}
          onPreset={(last) => {
            setNow(thisSecond())
            set({ last, from: null, to: null })
          }}
          onRange={setRange}
        />
        <ExportButtons points={known} range={range} width={width} />
      </div>
      <div className="chosen-bar">
        <ul className="chips" aria-label={t('addPoints')}>
          {chosen.map((each) => (
            <li className="chip" key={`${each.placed.line.LineID}:${each.point.key}`}>
              {nameOf(each)}
              <button type="button" aria-label={t('removePoint', { name: nameOf(each) })} onClick={() => remove(each)}>
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
        <button type="button" className="btn small" aria-label={t('addPoints')} onClick={() => setPicking(true)}>
          <Icon name="plus" />
          {t('points', { count: chosen.length, most: mostHistoryPoints })}
        </button>
        {chosen.length > 0 && (
          <button type="button" className="btn small quiet" onClick={() => set({ points: '' })}>
            {t('clear')}
          </button>
        )}
        <span className="grow" />
        <button
          type="button"
          className="btn small"
          aria-pressed={address.compare}
          onClick={() => set({ compare: address.compare ? null : '1' })}
        >
          {t('compare')}
        </button>
      </div>
      <div className="body" ref={body}>
        {chosen.length === 0 ? (
          <Empty title={t('emptyTitle')} hint={t('emptyHint')} action={{ label: t('addPoints'), run: () => setPicking(true) }} />
        ) : (
          <View
            chosen={chosen}
            points={known}
            range={range}
            width={width}
            compare={address.compare}
            zone={zone}
            zoneName={zoneName}
            onRange={setRange}
          />
        )}
      </div>
      {picking && (
        <PointPicker
          lines={all}
          selection={readSelection(query.get('at'))}
          points={known}
          onChange={setPoints}
          onClose={() => setPicking(false)}
        />
      )}
    </main>
  )
}

/** Nothing chosen yet: the line or device that the tree has selected speaks. */
function pointsOfTree(at: string | null, all: readonly PlacedLine[]): HistoryPoint[] {
  const selection = readSelection(at)
  if (selection.kind !== 'line' && selection.kind !== 'device') return []
  const line = all.find((each) => isSelected(each, selection))
  return line ? firstPoints(line).slice(0, mostHistoryPoints) : []
}

/** The range of the address; a preset counts back from the moment it was pressed, so that nothing moves under the hand. */
function rangeOf({ preset, range }: HistoryAddress, now: number): TimeRange {
  return range ?? { from: now - presets[preset ?? 'hour24'], to: now }
}

const thisSecond = (): number => Math.ceil(Date.now() / 1000) * 1000

/** The width of the body in steps: a few pixels more or less ask for nothing new. */
function useWidth() {
  const body = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = body.current
    if (!element) return
    const measure = () => setWidth(Math.max(100, Math.round(element.clientWidth / 100) * 100))
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return [body, width] as const
}
