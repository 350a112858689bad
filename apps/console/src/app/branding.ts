import type { Branding } from '@linewarden/contract'
import { branding } from '@linewarden/contract'
import { create } from 'zustand'
import { said } from '../texts/i18n.ts'
import { api } from './api.ts'

const none: Branding = { Name: null, Title: null, Logo: '', SignOn: null }

/** Whose installation this is, for the login page, the header, the titles and the exports. */
export const useBranding = create<Branding>(() => none)

/** Asks the server; without an answer the product stands under its own name. */
export async function loadBranding(): Promise<void> {
  const told = await api.call(branding).catch(() => null)
  if (told) useBranding.setState(told)
}

/** The name in the person's language; empty: nobody is named. */
export const brandName = ({ Name }: Branding): string => (Name ? said(Name) : '')

/** The configured title of every page; null: the specification's. */
export const brandTitle = ({ Title }: Branding): string | null => Title && said(Title)

/** What stands before the name of a file that is exported. */
export const filePrefix = (): string => {
  const name = brandName(useBranding.getState()).replace(/[\\/:*?"<>|\p{Cc}]/gu, '')
  return name === '' ? '' : `${name}-`
}
