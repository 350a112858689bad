import type { Group } from '@linewarden/contract'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useLiveLink, watchHouses } from '../../app/net/live-link.ts'
import { paths } from '../../paths.ts'
import { useSameNumbers } from '../../ui/use-same-numbers.ts'
import { useSnapshots } from '../queries.ts'

/** More lines than this are not watched for the sake of the tree alone; their projects say what the server counted. */
const maxWatched = 20_000

/** On pages that show no live values themselves the tree watches what is unfolded: its counts are true on every page. */
export function useOwnWatch(groups: readonly Group[], houseIds: readonly number[]): void {
  const isLivePage = useLocation().pathname === paths.realtime
  const lines = groups
    .flatMap(({ Houses }) => Houses)
    .reduce((sum, { HouseID, Counts }) => sum + (houseIds.includes(HouseID) ? Counts.Lines : 0), 0)
  const own = useSameNumbers(isLivePage || lines > maxWatched ? [] : houseIds)
  const polling = useLiveLink((state) => state.link === 'closed')
  useSnapshots(own, polling)
  useEffect(() => {
    if (own.length > 0) watchHouses(own)
  }, [own])
}
