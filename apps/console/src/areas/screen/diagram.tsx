import type { BusKey, BusShape, PlanPage, PlanWindow, SourceShape, TieShape, TileShape } from '@linewarden/rules/screen'
import { busOfSource, sumOf } from '@linewarden/rules/screen'
import { useTranslation } from 'react-i18next'
import { conditionText } from '../../plant/condition-text.ts'
import type { LineCondition } from '../../plant/line-condition.ts'
import { live } from '../../plant/live-store.ts'
import { DiagramLine } from './diagram-line.tsx'
import { fitText, textWidth } from './fit-text.ts'
import { Blade } from './glyph.tsx'
import { lookOf, powerText, type T } from './looks.ts'
import type { Plant } from './use-plant.ts'
import './diagram.css'

/** A page of a plan, or a part of it, as the plant stands now. */
export function Diagram({ shown, plant, label }: { shown: PlanWindow; plant: Plant; label: string }) {
  const { t } = useTranslation(['monitor', 'app', 'screen'])
  const pad = 24
  const { page, x, y, width, height } = shown
  const isPart = width < page.width || height < page.height
  return (
    <svg
      className={isPart ? 'diagram part' : 'diagram'}
      viewBox={`${x - pad} ${y - 8} ${width + 2 * pad} ${height + 16}`}
      width={width + 2 * pad}
      height={height + 16}
      role="group"
      aria-label={label}
    >
      {page.buses.map((bus) => (
        <Bus key={`${bus.key}.${bus.part}`} bus={bus} plant={plant} top={isTop(page, bus)} t={t} />
      ))}
      {page.sources.map((source) => (
        <Source key={source.sourceId} source={source} plant={plant} t={t} />
      ))}
      {page.lines.map((placed) => (
        <DiagramLine key={placed.lineId} {...lookOf(placed, plant, t)} />
      ))}
      {page.tiles.map((tile) => (
        <Tile key={tile.key} tile={tile} plant={plant} t={t} />
      ))}
      {page.ties.map((tie) => (
        <Tie key={`${tie.lineId}.${tie.kind === 'stub' ? tie.to : ''}`} tie={tie} plant={plant} t={t} />
      ))}
    </svg>
  )
}

/** The bus of a source, or of its incomer. */
const isTop = ({ sources, lines }: PlanPage, { key, y }: BusShape): boolean =>
  sources.some(({ sourceId }) => busOfSource(sourceId) === key) ||
  lines.some(({ role, bottom }) => role === 'incomer' && bottom === y)

const isAllAway = ({ graph, present }: Plant, key: BusKey): boolean => {
  const id = Number(key.slice(key.indexOf(':') + 1))
  const on = key.startsWith('line:') ? graph.fed.get(id) : graph.sources.find(({ sourceId }) => sourceId === id)?.roots
  return on !== undefined && on.length > 0 && on.every((line) => present.lines.get(line)?.condition === 'offline')
}

function Bus({ bus, plant, top, t }: { bus: BusShape; plant: Plant; top: boolean; t: T }) {
  const { key, part, x, width, y, riserFrom, label } = bus
  const state = isAllAway(plant, key) ? 'away' : (plant.present.of.get(key) ?? 'unknown')
  const thick = top ? 8 : 5
  const named = plant.topology.Buses.find(({ Bus: of }) => of === key)?.Name
  const words = [
    named,
    part > 0 ? t('screen:continued') : null,
    top && part === 0 && plant.graph.fed.size > 0 ? sumText(plant, key, t) : null,
  ]
  // Left of where the source comes down; a name has its place before a sum.
  const room = Math.max(80, top ? width / 2 - 16 : label.width)
  const whole = words.filter(Boolean).join('　')
  const [text = ''] = textWidth(whole, 14) <= room ? [whole] : fitText(named ?? whole, room, 14, 1)
  return (
    <g className="bus">
      {riserFrom !== null && <path className={`wire ${state}`} d={`M${x + 3} ${riserFrom}V${y}`} strokeWidth={thick} />}
      <path className={`wire ${state}`} d={`M${x} ${y}H${x + width}`} strokeWidth={thick} />
      {text !== '' &&
        (top ? (
          <text className="bus-name" x={part > 0 ? label.x + 12 : x} y={y - 12}>
            {text}
          </text>
        ) : (
          <text className="bus-name" x={x + width} y={y - 10} textAnchor="end">
            {text}
          </text>
        ))}
    </g>
  )
}

function sumText({ graph, power }: Plant, key: BusKey, t: T): string {
  const id = Number(key.slice(key.indexOf(':') + 1))
  const lines = key.startsWith('line:')
    ? (graph.fed.get(id) ?? [])
    : (graph.sources.find(({ sourceId }) => sourceId === id)?.roots ?? [])
  const sum = sumOf(lines, power)
  return sum.kw === null ? '' : t('screen:feedersDraw', { power: powerText(sum).replace('Σ ', '') })
}

function Source({ source, plant, t }: { source: SourceShape; plant: Plant; t: T }) {
  const { sourceId, x, top, bottom } = source
  const entered = plant.topology.Sources.find(({ SourceID }) => SourceID === sourceId)
  const state = plant.present.of.get(busOfSource(sourceId)) ?? 'unknown'
  const transformer = entered?.Transformer ?? null
  const name = plant.topology.Version === 0 || !entered ? t('screen:kinds.grid') : entered.Name
  const from = transformer ? top + 114 : top + 16
  return (
    <g className="source">
      <path className={`tip ${state}`} d={`M${x - 8} ${top}h16l-8 14z`} />
      <text className="source-name" x={x + 20} y={top + 13}>
        {transformer ? `${transformer.HighKv} kV ${name}` : name}
      </text>
      {transformer && (
        <>
          <path className={`wire ${state}`} d={`M${x} ${top + 14}V${top + 28}`} strokeWidth="3" />
          <circle className={`winding ${state}`} cx={x} cy={top + 54} r="26" />
          <circle className={`winding ${state}`} cx={x} cy={top + 88} r="26" />
          <text className="transformer" x={x + 42} y={top + 62}>
            {`${transformer.Name}　${transformer.Kva} kVA`}
          </text>
          <text className="note" x={x + 42} y={top + 86}>
            {`${transformer.HighKv} / ${transformer.LowKv} kV`}
          </text>
        </>
      )}
      <path className={`wire ${state}`} d={`M${x} ${from}V${bottom}`} strokeWidth="4" />
    </g>
  )
}

/** What is folded away and as it should be: how many, and what they draw. */
function Tile({ tile, plant, t }: { tile: TileShape; plant: Plant; t: T }) {
  const { box, x, top, lines, key } = tile
  const state = plant.present.of.get(key) ?? 'unknown'
  const own = new Set(lines)
  const tops = lines.filter((line) => {
    const bus = plant.graph.hangsOn.get(line)
    return bus === undefined || !own.has(Number(bus.slice(bus.indexOf(':') + 1)))
  })
  const sum = sumOf(tops, plant.power)
  return (
    <g className="tile">
      <path className={`wire ${state}`} d={`M${x} ${top}V${box.y}`} strokeWidth="3" />
      <path
        className="under"
        d={`M${box.x + 6} ${box.y + box.height + 4}h${box.width - 12}M${box.x + 14} ${box.y + box.height + 8}h${box.width - 28}`}
      />
      <rect x={box.x} y={box.y} width={box.width} height={box.height} />
      <text className="name" x={box.x + 12} y={box.y + 26}>
        {t('screen:folded', { count: lines.length })}
      </text>
      <text className="value" x={box.x + 12} y={box.y + 52}>
        {powerText(sum).replace('Σ ', '')}
        <tspan className="unit" dx="4">
          kW
        </tspan>
      </text>
      <text className="note" x={box.x + 12} y={box.y + 74}>
        {state === 'dead' ? t('screen:dead') : t('screen:allNormal')}
      </text>
    </g>
  )
}

/** A switch between two buses: between them where they stand side by side, else at each of them with the name of the other. */
function Tie({ tie, plant, t }: { tie: TieShape; plant: Plant; t: T }) {
  const condition = plant.present.lines.get(tie.lineId)?.condition ?? 'unknown'
  const name = plant.byId.get(tie.lineId)?.line.LineName ?? ''
  const tagged = (live.line(tie.lineId)?.Tags ?? 0) > 0 ? [t('monitor:tagged')] : []
  const words = [...tagged, ...fitText(name, tie.label.width, 14, 1), `${t('screen:tie')} ${conditionText(condition, t)}`]
  if (tie.kind === 'channel') return <Channel tie={tie} condition={condition} words={words} />
  const to = plant.topology.Buses.find(({ Bus: of }) => of === tie.to)?.Name ?? nameOfBus(plant, tie.to)
  const { x, top, label } = tie
  return (
    <g className="tie">
      <path className="tie-wire" d={`M${x} ${top}v26M${x} ${top + 58}v30m-6 -8l6 8l6 -8`} />
      <Blade x={x} top={top} condition={condition} />
      {[...words, ...fitText(`→ ${to}`, label.width, 14, 2)].map((each, at) => (
        <text key={each + String(at)} className="note" x={label.x} y={label.y + 14 + at * 18}>
          {each}
        </text>
      ))}
    </g>
  )
}

function Channel({
  tie,
  condition,
  words,
}: {
  tie: TieShape & { readonly kind: 'channel' }
  condition: LineCondition
  words: readonly string[]
}) {
  const { from, to, top, y, label } = tie
  const middle = (from + to) / 2
  return (
    <g className="tie">
      <path className="tie-wire" d={`M${from - 3} ${top}V${y}H${middle - 16}M${middle + 16} ${y}H${to + 3}V${top}`} />
      <g transform={`translate(${middle} ${y}) rotate(-90) translate(0 -42)`}>
        <Blade x={0} top={0} condition={condition} />
      </g>
      {words.map((each, at) => (
        <text key={each + String(at)} className="note" x={middle} y={label.y + 14 + at * 20} textAnchor="middle">
          {each}
        </text>
      ))}
    </g>
  )
}

function nameOfBus({ byId }: Plant, key: BusKey): string {
  return byId.get(Number(key.slice(key.indexOf(':') + 1)))?.line.LineName ?? ''
}
