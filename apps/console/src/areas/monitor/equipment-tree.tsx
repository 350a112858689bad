import type { Gateway, Group } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import type { Selection } from './equipment.ts'
import { readSelection, selectionText } from './equipment.ts'
import { severityOf } from './line-condition.ts'
import { live, useLiveVersion } from './live-store.ts'
import { useTree } from './queries.ts'
import './equipment-tree.css'

interface Node {
  readonly key: string
  readonly name: string
  readonly selection: Selection
  readonly lineIds: readonly number[]
  /** Set on gateways: their link is shown. */
  readonly gatewayId: number | null
  readonly children: readonly Node[]
}

/** Group, project, gateway, device and line, with what is abnormal below each. The selection stands in the address. */
export function EquipmentTree({ onChoose }: { onChoose: () => void }) {
  const { t } = useTranslation('monitor')
  const [query, setQuery] = useSearchParams()
  const [search, setSearch] = useState('')
  const { data } = useTree()
  const nodes = useMemo(() => (data ? data.Groups.map(groupNode) : []), [data])
  const shown = useMemo(() => filtered(nodes, search.trim().toLowerCase()), [nodes, search])
  const selected = selectionText(readSelection(query.get('at')))
  const choose = (selection: Selection) => {
    setQuery((before) => {
      const text = selectionText(selection)
      if (text === '') before.delete('at')
      else before.set('at', text)
      return before
    })
    onChoose()
  }
  return (
    <section className="tree" aria-label={t('tree')}>
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
      <ul className="nodes">
        <li>
          <div className={selected === '' ? 'node chosen' : 'node'}>
            <span className="fold" />
            <button
              type="button"
              className="name"
              aria-current={selected === '' || undefined}
              onClick={() => choose({ kind: 'all' })}
            >
              {t('allProjects')}
            </button>
          </div>
        </li>
        {shown.map((node) => (
          <Branch key={node.key} node={node} depth={0} selected={selected} choose={choose} forceOpen={search.trim() !== ''} />
        ))}
      </ul>
      {data && nodes.length === 0 && <p className="mute none">{t('noEquipment')}</p>}
    </section>
  )
}

function Branch(props: {
  node: Node
  depth: number
  selected: string
  choose: (selection: Selection) => void
  forceOpen: boolean
}): ReactNode {
  const { node, depth, selected, choose, forceOpen } = props
  const [unfolded, setUnfolded] = useState(depth < 2)
  const open = unfolded || forceOpen
  const chosen = node.selection.kind !== 'all' && selectionText(node.selection) === selected
  return (
    <li>
      <div className={chosen ? 'node chosen' : 'node'} style={{ paddingLeft: 8 + depth * 12 }}>
        {node.children.length > 0 ? (
          <button type="button" className="fold" aria-expanded={open} aria-label={node.name} onClick={() => setUnfolded(!open)}>
            <Icon name={open ? 'down' : 'right'} />
          </button>
        ) : (
          <span className="fold" />
        )}
        <button
          type="button"
          className="name"
          title={node.name}
          aria-current={chosen || undefined}
          onClick={() => (node.selection.kind === 'all' ? setUnfolded(!open) : choose(node.selection))}
        >
          {node.name}
        </button>
        <Abnormal node={node} />
      </div>
      {open && node.children.length > 0 && (
        <ul>
          {node.children.map((child) => (
            <Branch key={child.key} {...props} node={child} depth={depth + 1} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** Marks and counts of what is not normal below a node; nothing when all is well. */
function Abnormal({ node }: { node: Node }) {
  const { t } = useTranslation('monitor')
  useLiveVersion()
  const counts = { alarm: 0, fault: 0, warning: 0 }
  for (const id of node.lineIds) {
    const severity = severityOf(live.line(id))
    if (severity) counts[severity] += 1
  }
  const link = node.gatewayId === null ? undefined : live.link(node.gatewayId)?.Link
  return (
    <span className="abnormal">
      {link !== undefined && link !== 'online' && (
        <span className="away">
          <Mark kind="off" size={12} />
          {link === 'stale' ? t('stale') : t('offline')}
        </span>
      )}
      {(['alarm', 'fault', 'warning'] as const).map(
        (kind) =>
          counts[kind] > 0 && (
            <span key={kind} className={kind}>
              <Mark kind={kind} size={12} />
              {counts[kind]}
            </span>
          ),
      )}
      {node.children.length > 0 && <span className="mute">{node.lineIds.length}</span>}
    </span>
  )
}

const groupNode = ({ CityID, Name, Houses }: Group): Node => {
  const children = Houses.map((house): Node => {
    const gateways = house.Devices.map(gatewayNode)
    return {
      key: `h${house.HouseID}`,
      name: house.Name,
      selection: { kind: 'house', id: house.HouseID },
      lineIds: gateways.flatMap((each) => each.lineIds),
      gatewayId: null,
      children: gateways,
    }
  })
  return {
    key: `c${CityID}`,
    name: Name,
    selection: { kind: 'all' },
    lineIds: children.flatMap((each) => each.lineIds),
    gatewayId: null,
    children,
  }
}

const gatewayNode = ({ DeviceID, GatewayName, Devices }: Gateway): Node => {
  const children = Devices.map((device): Node => {
    const lines = device.Lines.map(
      (line): Node => ({
        key: `l${line.LineID}`,
        name: line.LineName,
        selection: { kind: 'line', id: line.LineID },
        lineIds: [line.LineID],
        gatewayId: null,
        children: [],
      }),
    )
    // A detector is its own only line: one node is enough.
    const alone = familyOf(device.Family)?.level === 'device'
    return {
      key: `d${device.ControllerID}`,
      name: device.Name,
      selection: { kind: 'device', id: device.ControllerID },
      lineIds: lines.flatMap((each) => each.lineIds),
      gatewayId: null,
      children: alone ? [] : lines,
    }
  })
  return {
    key: `g${DeviceID}`,
    name: GatewayName,
    selection: { kind: 'gateway', id: DeviceID },
    lineIds: children.flatMap((each) => each.lineIds),
    gatewayId: DeviceID,
    children,
  }
}

/** Branches that hold the wanted name; below a found one everything stays. */
function filtered(nodes: readonly Node[], wanted: string): readonly Node[] {
  if (wanted === '') return nodes
  return nodes.flatMap((node) => {
    if (node.name.toLowerCase().includes(wanted)) return [node]
    const children = filtered(node.children, wanted)
    return children.length > 0 ? [{ ...node, children }] : []
  })
}
