import type { GroupOperationRecord } from '@linewarden/contract'
import { getRun, startRun, stopRun } from '@linewarden/contract'
import { isUnderWay } from '@linewarden/rules/control'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { keyOf } from '../../app/net/keys.ts'
import { queryClient, refreshNow } from '../../app/net/query-client.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useMay } from '../../app/session/use-may.ts'
import { LineTag } from '../../plant/tag-mark.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { localised } from '../../ui/i18n.ts'
import { stateWord } from './command-words.ts'

const isSettled = ({ State, Command }: GroupOperationRecord['Lines'][number]): boolean =>
  State !== 'waiting' && !(Command && isUnderWay(Command.State))

/** A group that somebody started, opened again. */
export function GroupOperationProgressDialog(props: { operationId: string; title: string; onClose: () => void }) {
  return (
    <Dialog label={props.title} wide onClose={props.onClose}>
      <GroupOperationProgress {...props} />
    </Dialog>
  )
}

/** How far a group has come, line by line; live, and fetched anew while something is under way. */
function GroupOperationProgress({ operationId, title, onClose }: { operationId: string; title: string; onClose: () => void }) {
  const { t } = useTranslation(['operations', 'app'])
  const query = useCall(
    getRun,
    { params: { RunID: operationId } },
    { refetchInterval: ({ state }) => (state.data?.EndedAt && state.data.Lines.every(isSettled) ? false : 2_000) },
  )
  const { data } = query
  const mayStop = useMay('lineSwitch')
  const done = data?.Lines.filter(isSettled).length ?? 0
  useEffect(() => {
    if (done > 0) void refreshNow({ shows: startRun.touches })
  }, [done])
  return (
    <>
      <h2>{title}</h2>
      <div className="content">
        <Unloaded query={query} />
        {data && (
          <>
            <p role="status">{t('progress', { done, total: data.Lines.length })}</p>
            {!data.Whole && <p className="mute">{t('runPart')}</p>}
            {data.EndedAt === null && data.Action !== 'trip' && <p className="mute">{t('goesOn')}</p>}
            <progress value={done} max={data.Lines.length} aria-label={title} />
            <ul className="group-progress">
              {data.Lines.map((line) => (
                <li key={line.LineID}>
                  <span>
                    {line.LineName} <LineTag lineId={line.LineID} />
                  </span>
                  <span className={line.State === 'refused' ? 'bad' : undefined}>
                    {line.Command
                      ? stateWord(line.Command)
                      : line.Refusal
                        ? localised(line.Refusal.Text)
                        : t(`runStates.${line.State}`)}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <div className="foot">
        {mayStop && data?.EndedAt === null && (
          <button
            type="button"
            className="btn"
            onClick={async () => {
              const stopped = await callWithToast(api.call(stopRun, { params: { RunID: operationId } }))
              if (!stopped) return
              queryClient.setQueryData(keyOf(getRun, { params: { RunID: operationId } }), stopped.reply)
            }}
          >
            {t('stop')}
          </button>
        )}
        <button type="button" className="btn primary" onClick={onClose}>
          {t('app:close')}
        </button>
      </div>
    </>
  )
}
