import { Segments } from '../ui/fields.tsx'
import { PickFilter } from '../ui/pick-field.tsx'
import { useTree } from './queries.ts'

const useHouses = () => {
  const tree = useTree()
  return { tree, houses: (tree.data?.Groups ?? []).flatMap(({ Houses }) => Houses) }
}

/** What can be set for a project or as the default of all: of which, by the address. Null: the default, also where there is no project. */
export function useProjectOrDefault(address: URLSearchParams) {
  const { tree, houses } = useHouses()
  const asked = address.get('house')
  const house = asked === 'default' ? null : (houses.find(({ HouseID }) => String(HouseID) === asked) ?? houses[0] ?? null)
  return { tree, house }
}

/** Chooses the project, or the default. */
export function ProjectOrDefault({
  house,
  words,
  onChoose,
}: {
  house: number | null
  words: { readonly project: string; readonly level: string; readonly ofProject: string; readonly default: string }
  /** As the address has it. */
  onChoose: (house: string) => void
}) {
  const { houses } = useHouses()
  return (
    <>
      {houses.length > 1 && (
        <PickFilter
          label={words.project}
          value={house === null ? '' : String(house)}
          options={houses.map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
          onChange={(value) => value !== '' && onChoose(value)}
        />
      )}
      <Segments
        label={words.level}
        value={house === null ? 'default' : 'project'}
        options={[
          ...(houses.length > 0 ? [{ value: 'project' as const, label: words.ofProject }] : []),
          { value: 'default' as const, label: words.default },
        ]}
        onChange={(to) => onChoose(to === 'default' ? 'default' : String(houses[0]?.HouseID ?? 'default'))}
      />
    </>
  )
}
