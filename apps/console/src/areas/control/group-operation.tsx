import { memo, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.ts'
import { Icon } from '../../ui/icon.tsx'
import type { PlacedLine } from '../monitor/equipment.ts'
import { RunDialog } from './run-dialog.tsx'

/** More lines than this go in several groups: the server takes no more in one. */
const mostLines = 500

/** Operates the lines that the page shows as one: a project, a cabinet, or what a filter leaves. */
export const GroupOperation = memo(function GroupOperation({ lines }: { lines: readonly PlacedLine[] }) {
  const { t } = useTranslation('operations')
  const user = useSession((session) => session.user)
  const [chosen, setChosen] = useState<readonly PlacedLine[] | null>(null)
  const may = user?.Roles.LevelBtn.includes('lineSwitch') === true && !user.Shared
  const operable = useMemo(() => operableOf(lines), [lines])
  if (!may) return null
  return (
    <>
      <button
        type="button"
        className="btn"
        aria-label={t('group')}
        title={t('group')}
        disabled={operable.length === 0 || operable.length > mostLines}
        onClick={() => setChosen(operable)}
      >
        <Icon name="line" />
        <span className="word">{t('group')}</span>
      </button>
      {chosen && <RunDialog title={t('groupTitle')} lines={chosen} onClose={() => setChosen(null)} />}
    </>
  )
})

/** The lines that can be tripped; one more than may be is enough to know that there are too many. */
function operableOf(lines: readonly PlacedLine[]): readonly PlacedLine[] {
  const found: PlacedLine[] = []
  for (const each of lines) {
    if (found.length > mostLines) break
    if (each.family?.actions.some(({ key }) => key === 'trip')) found.push(each)
  }
  return found
}
