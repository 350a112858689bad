import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../ui/page.tsx'
import { brandName, useBranding } from './branding.ts'
import './paper.css'

/** A page that shows a sheet as it is printed. */
export function PaperPage({
  title,
  isReady,
  status,
  onBack,
  children,
}: {
  title: string
  /** All that is to be printed is here. */
  isReady: boolean
  /** What it waits for, beside the buttons. */
  status?: string | null
  onBack: () => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <Page
      title={title}
      tools={
        <>
          {status && <span role="status">{status}</span>}
          <button type="button" className="btn" onClick={onBack}>
            {t('back')}
          </button>
          <button type="button" className="btn primary" disabled={!isReady} onClick={() => window.print()}>
            {t('print')}
          </button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="paper-scroll" tabIndex={0}>
        {children}
      </div>
    </Page>
  )
}

/** A sheet of A4: one table, whose head and foot a browser repeats on each page. */
export function Paper({
  title,
  about,
  number,
  foot,
  className,
  children,
}: {
  title: string
  /** What it is of; the company stands before it. */
  about: readonly (string | null)[]
  number: string
  foot: readonly string[]
  className?: string
  children: ReactNode
}) {
  const company = brandName(useBranding())
  return (
    <table className={className ? `paper ${className}` : 'paper'}>
      <thead>
        <tr>
          <td>
            <div className="paper-top">
              <b>{title}</b>
              <span>{[company, ...about].filter(Boolean).join(' · ')}</span>
              <span className="grow" />
              <span>{number}</span>
            </div>
          </td>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>{children}</td>
        </tr>
      </tbody>
      <tfoot>
        <tr>
          <td>
            <div className="paper-foot">
              {foot.map((each) => (
                <span key={each}>{each}</span>
              ))}
            </div>
          </td>
        </tr>
      </tfoot>
    </table>
  )
}
