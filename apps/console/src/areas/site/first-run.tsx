import type { GatewayRecord } from '@linewarden/contract'
import { listGateways, tree } from '@linewarden/contract'
import type { Dispatch, ReactNode, SetStateAction } from 'react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { combineQueries } from '../../app/net/combined-query.ts'
import { keyOf } from '../../app/net/keys.ts'
import { refreshNow } from '../../app/net/query-client.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { Icon } from '../../ui/icon.tsx'
import './first-run.css'
import { GatewayForm } from './gateway-form.tsx'
import { ProjectForm } from './project-form.tsx'
import { useProjectNames } from './queries.ts'
import { ConnectionFacts, SecretDialog } from './secret-dialog.tsx'

export type GuideDialog = 'project' | 'gateway' | { readonly gateway: GatewayRecord; readonly secret: string }

/**
 * From nothing to the first live line: a project, a gateway in it, its birth, and its lines. Which of its dialogs is open the page keeps: the
 * first line comes while the gateway's secret, which is shown once, may still be read.
 */
export function FirstRun({ open, setOpen }: { open: GuideDialog | null; setOpen: Dispatch<SetStateAction<GuideDialog | null>> }) {
  const { t } = useTranslation('firstRun')
  const projects = useProjectNames()
  const gateways = useCall(listGateways, { body: { Size: 10 } }, { refetchInterval: 3_000 })
  const waiting = gateways.data?.items ?? []
  const born = waiting.some(({ LineCount }) => LineCount > 0)
  // The live page behind this guide shows the lines as soon as it knows of them.
  useEffect(() => {
    if (born) void refreshNow(keyOf(tree))
  }, [born])
  const asked = combineQueries([projects, gateways])
  if (!projects.data || !gateways.data) return <Unloaded query={asked} />
  const project = projects.data.items[0]
  const gateway = waiting[0]
  const at = !project ? 1 : !gateway ? 2 : 3
  const close = () => setOpen(null)
  return (
    <div className="first-run">
      <h2>{t('title')}</h2>
      <Unloaded query={asked} />
      <ol>
        <Step number={1} at={at} title={t('project')} hint={project ? project.Name : t('projectHint')}>
          <button type="button" className="btn primary" onClick={() => setOpen('project')}>
            <Icon name="plus" />
            {t('addProject')}
          </button>
        </Step>
        <Step
          number={2}
          at={at}
          title={t('gateway')}
          hint={gateway ? `${gateway.GatewayName} · ${gateway.Number}` : t('gatewayHint')}
        >
          <button type="button" className="btn primary" onClick={() => setOpen('gateway')}>
            <Icon name="plus" />
            {t('addGateway')}
          </button>
        </Step>
        <Step number={3} at={at} title={t('birth')} hint={t('birthHint')}>
          <p role="status">{gateway && gateway.Link !== 'never' ? t('connected') : t('waiting')}</p>
          {gateway && <ConnectionFacts gateway={gateway} />}
        </Step>
        <Step number={4} at={at} title={t('lines')} hint={t('linesHint')} />
      </ol>
      {open === 'project' && <ProjectForm project={null} onClose={close} />}
      {open === 'gateway' && (
        <GatewayForm
          houseId={project?.HouseID ?? null}
          onAdded={(added, secret) => setOpen({ gateway: added, secret })}
          onClose={() => setOpen((now) => (now === 'gateway' ? null : now))}
        />
      )}
      {open !== null && typeof open === 'object' && <SecretDialog {...open} onClose={close} />}
    </div>
  )
}

function Step({
  number,
  at,
  title,
  hint,
  children,
}: {
  number: number
  /** The step that is next. */
  at: number
  title: string
  hint: string
  children?: ReactNode
}) {
  const state = number < at ? 'done' : number === at ? 'next' : 'later'
  return (
    <li className={state} aria-current={state === 'next' ? 'step' : undefined}>
      <span className="number" aria-hidden="true">
        {state === 'done' ? <Icon name="check" /> : number}
      </span>
      <div>
        <h3>{title}</h3>
        <p className="mute">{hint}</p>
        {state === 'next' && children}
      </div>
    </li>
  )
}
