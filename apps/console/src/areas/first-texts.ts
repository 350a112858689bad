import { http } from '../app/net/http-texts.ts'
import { app } from '../app/texts.ts'
import { account } from './account/texts.ts'

/** Texts that are there from the first draw; the areas' come with the pages behind the login. */
export const firstTexts = { app, http, account }
