import { addressQuotas } from '../../schema/tables/address-quotas.ts'
import { deletionOf } from '../db/deletion.ts'

/** Deletes counters of addresses whose hour began before a time. */
export const deleteOldAddresses = deletionOf(addressQuotas, addressQuotas.hour)
