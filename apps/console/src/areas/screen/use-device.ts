import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { QueryState } from '../../app/net/combined-query.ts'
import { combineQueries } from '../../app/net/combined-query.ts'
import { useLiveLink } from '../../app/net/live-link.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { useLineRefs, useProjects, useTree } from '../../plant/queries.ts'

/** Nothing to ask for: the same list each time. */
const none: readonly number[] = []

/**
 * The lines of a device, in sight of whoever asks, with all others of its project. The project that the address names is looked into first, then
 * all others. `lines` null: not known yet; none: it is not there, or not to be seen.
 */
export function useDevice(controllerId: string): {
  readonly lines: readonly LineRef[] | null
  readonly query: QueryState
} {
  const polling = useLiveLink(({ link }) => link !== 'open')
  const hint = Number(useSearchParams()[0].get('house'))
  const groups = useTree(polling)
  const all = useMemo(() => groups.data?.Groups.flatMap(({ Houses }) => Houses.map(({ HouseID }) => HouseID)), [groups.data])
  const first = useMemo(() => (all?.includes(hint) ? [hint] : none), [all, hint])
  const named = useProjects(first, polling)
  const namedLines = useDeviceLines(useLineRefs(named.projects), controllerId)
  const isElsewhere = all !== undefined && namedLines.length === 0 && named.projects.length === first.length
  const rest = useMemo(() => (isElsewhere ? all.filter((id) => !first.includes(id)) : none), [isElsewhere, all, first])
  const others = useProjects(rest, polling)
  const otherLines = useDeviceLines(useLineRefs(others.projects), controllerId)
  const found = namedLines.length > 0 ? namedLines : otherLines
  const isKnown = found.length > 0 || (isElsewhere && others.projects.length === rest.length)
  return {
    lines: isKnown ? found : null,
    query: combineQueries([groups, named.lacking, others.lacking].filter((each) => each !== null)),
  }
}

const useDeviceLines = (lines: readonly LineRef[], controllerId: string) =>
  useMemo(() => lines.filter(({ device }) => device.ControllerID === controllerId), [lines, controllerId])
