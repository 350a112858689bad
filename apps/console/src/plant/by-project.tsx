import type { Group, Project } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { Unloaded } from '../app/net/unloaded.tsx'
import { Empty } from '../ui/body-state.tsx'
import { Page } from '../ui/page.tsx'
import { PickFilter } from '../ui/pick-field.tsx'
import type { Selection } from './equipment.ts'
import { housesOf } from './equipment.ts'
import { useTree } from './queries.ts'
import { useSelection } from './selection.ts'

/** A page about one project, which the tree has selected or which is the only one; where it is neither, it is chosen here. */
export function ByProject({
  words,
  beside,
  children,
}: {
  words: { readonly title: string; readonly project: string; readonly choose: string; readonly hint: string }
  /** What is shown of several side by side, before one of them is chosen. */
  beside?: (houses: readonly Project[], select: (to: Selection) => void) => ReactNode
  children: (house: Project, selection: Selection, groups: readonly Group[]) => ReactNode
}) {
  const [selection, select] = useSelection()
  const tree = useTree()
  const groups = tree.data?.Groups ?? []
  const houses = housesOf(selection, groups)
  // Where there is one project nobody has to choose it.
  const house = houses.length === 1 ? houses[0] : undefined
  if (house) return children(house, selection, groups)
  const offered = houses.length > 0 ? houses : groups.flatMap(({ Houses }) => Houses)
  const choice = (
    <>
      <div className="list-bar">
        <PickFilter
          label={words.project}
          value=""
          options={offered.map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
          onChange={(id) => id !== '' && select({ kind: 'house', id: Number(id) })}
        />
      </div>
      <Empty title={words.choose} hint={words.hint} />
    </>
  )
  return (
    <Page title={words.title}>
      <Unloaded query={tree} />
      {tree.data && (beside && offered.length > 0 ? beside(offered, select) : choice)}
    </Page>
  )
}
