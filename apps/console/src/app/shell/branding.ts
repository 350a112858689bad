import type { Branding } from '@linewarden/contract'
import { branding } from '@linewarden/contract'
import i18next from 'i18next'
import { create } from 'zustand'
import { nameFilesAfter } from '../../ui/file-name.ts'
import { localised } from '../../ui/i18n.ts'
import { api } from '../net/api.ts'
import { hasCompany } from '../session/session.ts'

const none: Branding = { Name: null, Title: null, Logo: '', SignOn: null }

/** Whose installation this is, for the login page, the header, the titles and the exports. */
export const useBranding = create<Branding>(() => none)

/** Asks the server; without an answer the product stands under its own name. */
export async function loadBranding(): Promise<void> {
  const answer = await api.call(branding).catch(() => null)
  if (!answer) return
  useBranding.setState(answer)
  nameFilesAfter(brandName(answer))
}

/** The name in the person's language; empty: nobody is named. */
export const brandName = ({ Name }: Branding): string => (Name ? localised(Name) : '')

/** The title of every page: the configured one, else the specification's two, by whether company details are known in this tab. */
export const brandTitle = ({ Title }: Branding): string =>
  Title ? localised(Title) : i18next.t(hasCompany() ? 'app:name' : 'app:plainName')
