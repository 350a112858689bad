import { useSearchParams } from 'react-router'
import { useTree } from '../../../../plant/queries.ts'
import { useSelection } from '../../../../plant/selection.ts'

/** Which project's day the tree stands for, null where it stands for several; and how that day is opened. */
export function useDayAsked(): { readonly houseOfDay: number | null; readonly openDay: () => void } {
  const [selection] = useSelection()
  const [, setAddress] = useSearchParams()
  const houses = (useTree().data?.Groups ?? []).flatMap(({ Houses }) => Houses)
  const selected = selection.kind === 'house' ? selection.id : 'house' in selection ? selection.house : null
  const only = houses.length === 1 ? (houses[0]?.HouseID ?? null) : null
  return {
    houseOfDay: selected ?? only,
    openDay: () =>
      setAddress((before) => {
        before.set('day', '1')
        return before
      }),
  }
}
