import { useTranslation } from 'react-i18next'
import type { QueryState } from '../../app/net/combined-query.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { CloseFoot, Dialog } from '../../ui/dialog.tsx'
import { clockTime } from '../../ui/format.ts'
import './operations.css'

/** What an order was, and what became of it step by step, in words. */
export interface OrderCourse {
  readonly what: string
  readonly about: string
  readonly steps: readonly { readonly At: number; readonly became: string; readonly because: string }[]
}

/** Every step of one order, an action or a setting: when, what it became, and the fact that made it so. */
export function StepsDialog({ id, query, onClose }: { id: string; query: QueryState<OrderCourse>; onClose: () => void }) {
  const { t } = useTranslation('operations')
  const { data } = query
  const begun = data?.steps[0]?.At ?? 0
  return (
    <Dialog label={t('stepsTitle')} wide onClose={onClose}>
      <h2>{t('stepsTitle')}</h2>
      <div className="content">
        <Unloaded query={query} />
        {data && (
          <>
            <p>
              <b>{data.what}</b> {data.about}
            </p>
            <ol className="command-steps">
              {data.steps.map(({ At, became, because }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever appended
                <li key={index}>
                  <time>{index === 0 ? clockTime(At) : `+${((At - begun) / 1000).toFixed(2)} s`}</time>
                  <b>{became}</b>
                  <span>{because}</span>
                </li>
              ))}
            </ol>
            <p className="mute id">{id}</p>
          </>
        )}
      </div>
      <CloseFoot onClose={onClose} />
    </Dialog>
  )
}
