import type { Group } from '@linewarden/contract'
import { maxHistoryPoints, zoneClock } from '@linewarden/contract'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { hasFailed } from '../../app/net/combined-query.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import type { LineRef, Selection } from '../../plant/equipment.ts'
import { housesOf, isSelected } from '../../plant/equipment.ts'
import { useLineRefs, useProjects, useTree } from '../../plant/queries.ts'
import { useSelection } from '../../plant/selection.ts'
import { Empty } from '../../ui/body-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { Place } from '../../ui/place.tsx'
import { serverNow } from '../../ui/use-now.ts'
import type { AddressPoint, HistoryAddress, Preset, TimeRange } from './address.ts'
import { pointsText, presets, readAddress, readPoints } from './address.ts'
import { ExportButtons } from './export-buttons.tsx'
import { PointPicker } from './point-picker.tsx'
import { RangeBar } from './range-bar.tsx'
import type { ChosenPoint } from './subject.ts'
import { chosenOf, firstPoints, inAddress, inCall, namesOf } from './subject.ts'
import { View } from './view.tsx'
import './history-page.css'

/** More lines than this are not listed to choose from: a project must be selected first. */
const maxLines = 5_000

/** What happened? Up to eight points of any lines over any range; everything stands in the address. */
export function HistoryPage() {
  const { t } = useTranslation('history')
  const tree = useTree()
  if (tree.data) return <Loaded groups={tree.data.Groups} />
  return (
    <Page title={t('title')}>
      <Unloaded query={tree} />
    </Page>
  )
}

function Loaded({ groups }: { groups: readonly Group[] }) {
  const { t } = useTranslation('history')
  const [query, setQuery] = useSearchParams()
  const [picking, setPicking] = useState(false)
  const address = useMemo(() => readAddress(query), [query])
  // Another range leaves the points as they are, and with them all that is made of them.
  const named = address.points && pointsText(address.points)
  const [selection] = useSelection()
  const offered = housesOf(selection, groups)
  const isTooMuch = offered.reduce((sum, { Counts }) => sum + Counts.Lines, 0) > maxLines && offered.length > 1
  // Lines are fetched project by project: those of the chosen points, and those to choose from.
  const isAsked = picking || isOneLine(selection)
  const wanted = [
    ...(address.points ?? []).map(({ house }) => house),
    ...(isAsked && !isTooMuch ? offered.map(({ HouseID }) => HouseID) : []),
  ]
  const mine = new Set(groups.flatMap(({ Houses }) => Houses.map(({ HouseID }) => HouseID)))
  const { projects, lacking } = useProjects([...new Set(wanted)].filter((id) => mine.has(id)))
  const all = useLineRefs(projects)
  const points = useMemo(() => (named === null ? pointsOfTree(selection, all) : readPoints(named)), [named, selection, all])
  const chosen = useMemo(() => chosenOf(points, all), [points, all])
  // Of a link that is older than the plant: said, and not silently shown as less.
  const gone = lacking ? 0 : points.length - chosen.length
  const known = useMemo(() => chosen.map(inCall), [chosen])
  const [opened] = useState(thisSecond)
  /** When each preset was pressed: the range that is shown stays what it is until the address names the new one. */
  const [pressed, setPressed] = useState<Readonly<Partial<Record<Preset, number>>>>({})
  const now = (address.preset && pressed[address.preset]) ?? opened
  const range = useMemo(() => rangeOf(address, now), [address, now])
  const project = chosen[0]?.lineRef.project ?? offered[0]
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
  const setPoints = (next: readonly AddressPoint[]) => set({ points: pointsText(next) })
  const setRange = ({ from, to }: TimeRange) => set({ from: String(from), to: String(to), last: null })
  const remove = (gone: ChosenPoint) => setPoints(chosen.filter((each) => each !== gone).map(inAddress))
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
            setPressed((before) => ({ ...before, [last]: thisSecond() }))
            set({ last, from: null, to: null })
          }}
          onRange={setRange}
        />
        <ExportButtons points={known} range={range} width={width} />
      </div>
      <div className="chosen-bar">
        <ul className="chips" aria-label={t('addPoints')}>
          {chosen.map((each) => (
            <li className="chip" key={`${each.lineRef.line.LineID}:${each.point.key}`}>
              <span>
                <Place names={namesOf(each)} between=" " />
              </span>
              <button type="button" aria-label={t('removePoint', { name: namesOf(each).join(' ') })} onClick={() => remove(each)}>
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
        <button type="button" className="btn small" aria-label={t('addPoints')} onClick={() => setPicking(true)}>
          <Icon name="plus" />
          {t('points', { count: chosen.length, most: maxHistoryPoints })}
        </button>
        {chosen.length > 0 && (
          <button type="button" className="btn small quiet" onClick={() => set({ points: '' })}>
            {t('clear')}
          </button>
        )}
        {gone > 0 && (
          <span className="mute" role="status">
            {t('pointsGone', { count: gone })}
          </span>
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
        {lacking && (hasFailed(lacking) || (chosen.length === 0 && !picking)) ? (
          <Unloaded query={lacking} />
        ) : chosen.length === 0 ? (
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
          lines={isTooMuch ? [] : all}
          selection={selection}
          points={chosen.map(inAddress)}
          lacking={lacking}
          isTooMuch={isTooMuch}
          onChange={setPoints}
          onClose={() => setPicking(false)}
        />
      )}
    </main>
  )
}

const isOneLine = ({ kind }: Selection): boolean => kind === 'line' || kind === 'device'

/** Nothing chosen yet: the line or device that the tree has selected speaks. */
function pointsOfTree(selection: Selection, all: readonly LineRef[]): AddressPoint[] {
  const line = isOneLine(selection) ? all.find((each) => isSelected(each, selection)) : undefined
  return line ? firstPoints(line).slice(0, maxHistoryPoints) : []
}

/** The range of the address; a preset counts back from the moment it was pressed, so that nothing moves under the hand. */
function rangeOf({ preset, range }: HistoryAddress, now: number): TimeRange {
  return range ?? { from: now - presets[preset ?? 'hour24'], to: now }
}

const thisSecond = (): number => Math.ceil(serverNow() / 1000) * 1000

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
