import { listRuns } from '@linewarden/contract'
import { memo, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useSession } from '../../app/session/session.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { Icon } from '../../ui/icon.tsx'
import { GroupOperationDialog } from './group-operation-dialog.tsx'
import { GroupOperationProgressDialog } from './group-operation-progress.tsx'

/** More lines than this go in several groups: the server takes no more in one. */
const maxLines = 500

/** Operates the lines that the page shows as one: a project, a cabinet, or what a filter leaves. */
export const GroupOperation = memo(function GroupOperation({
  lines,
  isWhole,
}: {
  lines: readonly LineRef[]
  /** False: there are more, which could not be loaded. */
  isWhole: boolean
}) {
  const { t } = useTranslation('operations')
  const user = useSession((session) => session.user)
  const [chosen, setChosen] = useState<readonly LineRef[] | null>(null)
  const may = user?.Roles.LevelBtn.includes('lineSwitch') === true && !user.Shared
  const [open, setOpen] = useState<string | null>(null)
  const operable = useMemo(() => operableOf(lines), [lines])
  const navigate = useNavigate()
  const running = useRunning(user?.Shared === false)
  const { items = [], total = 0 } = running.data ?? {}
  if (!may && total === 0 && open === null) return null
  const look = () => (total === 1 && items[0] ? setOpen(items[0].RunID) : navigate('/devmon/ledger?view=runs&running=yes'))
  return (
    <>
      {total > 0 && (
        <button type="button" className="btn" onClick={look}>
          <Icon name="clock" />
          {t(running.isError ? 'runningOnce' : 'running', { count: total })}
        </button>
      )}
      {open && <GroupOperationProgressDialog operationId={open} title={t('run')} onClose={() => setOpen(null)} />}
      {may && (
        <ReasonedButton
          className="btn"
          aria-label={t('group')}
          reason={
            operable.length === 0 ? t('groupNone') : operable.length > maxLines ? t('groupTooMany', { most: maxLines }) : null
          }
          onClick={() => setChosen(operable)}
        >
          <Icon name="line" />
          <span className="word">{t('group')}</span>
        </ReasonedButton>
      )}
      {chosen && <GroupOperationDialog title={t('group')} lines={chosen} isWhole={isWhole} onClose={() => setChosen(null)} />}
    </>
  )
})

/** Groups that are not over, whoever started them: also after the dialog was closed, the page loaded anew, or the phone asleep. */
const useRunning = (mayLook: boolean) =>
  useCall(listRuns, { query: { Running: true } }, { enabled: mayLook, refetchInterval: 15_000 })

/** The lines that can be tripped; one more than may be is enough to know that there are too many. */
function operableOf(lines: readonly LineRef[]): readonly LineRef[] {
  const found: LineRef[] = []
  for (const each of lines) {
    if (found.length > maxLines) break
    if (each.family?.actions.some(({ key }) => key === 'trip')) found.push(each)
  }
  return found
}
