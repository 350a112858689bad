import type { PlantGraph } from '@linewarden/rules/screen'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { SwitchSymbol } from '../../ui/switch-symbol.tsx'
import { toneOf } from './diagram-line.tsx'
import { lookOf, type T, unplaced } from './looks.ts'
import type { Plant } from './use-plant.ts'
import './plant-outline.css'

/** The diagram as a list, for a hand and for whoever hears it: what feeds what by how far it stands in. */
export function PlantOutline({ plant }: { plant: Plant }) {
  const { t } = useTranslation(['monitor', 'app', 'screen'])
  return (
    <div className="outline">
      {plant.graph.sources.map(({ sourceId, roots }) => (
        <section key={sourceId}>
          <h2>{plant.topology.Sources.find(({ SourceID }) => SourceID === sourceId)?.Name ?? t('screen:kinds.grid')}</h2>
          <ul>
            {inOrder(plant.graph, roots).map(({ lineId, depth }) => (
              <Row key={lineId} lineId={lineId} depth={depth} plant={plant} t={t} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function inOrder(graph: PlantGraph, roots: readonly number[]): readonly { readonly lineId: number; readonly depth: number }[] {
  const found: { readonly lineId: number; readonly depth: number }[] = []
  const open = roots.toReversed().map((lineId) => ({ lineId, depth: 0 }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next)
    for (const child of (graph.fed.get(next.lineId) ?? []).toReversed()) open.push({ lineId: child, depth: next.depth + 1 })
  }
  return found
}

function Row({ lineId, depth, plant, t }: { lineId: number; depth: number; plant: Plant; t: T }) {
  const look = lookOf(unplaced(lineId), plant, t)
  const { condition } = look
  const state = condition === null || condition === 'normal' || condition.endsWith('State') ? null : condition
  return (
    <li className={toneOf(condition, look.severity)} style={{ paddingInlineStart: 16 + Math.min(depth, 6) * 16 }}>
      <Link to={look.href}>
        {state ? <SwitchSymbol state={state as Parameters<typeof SwitchSymbol>[0]['state']} /> : <span className="no-switch" />}
        <span className="what">
          <b>
            <bdi>{look.name}</bdi>
          </b>
          {look.note !== '' && <small>{look.note}</small>}
          {look.disagrees !== '' && <small className="disagrees">{look.disagrees}</small>}
        </span>
        <span className={look.isOld ? 'figure old' : 'figure'}>
          {look.figure} <small>{look.unit}</small>
        </span>
      </Link>
    </li>
  )
}
