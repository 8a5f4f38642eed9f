#!/bin/sh
# NoteEval.app into a disk image: sh package.sh APP VERSION OUT. Signed where NOTEEVAL_SIGN_AS names an identity, and
# notarised where NOTEEVAL_NOTARY names a profile that `xcrun notarytool store-credentials` has kept.
set -eu
app=$1 version=$2 out=$3
if [ -n "${NOTEEVAL_SIGN_AS:-}" ]; then
    codesign --deep --force --timestamp --options runtime --entitlements "$(dirname "$0")/entitlements.plist" \
        --sign "$NOTEEVAL_SIGN_AS" "$app"
fi
work=$(mktemp -d)
cp -R "$app" "$work"
ln -s /Applications "$work/Applications"
image="$out/NoteEval-$version-$(uname -m).dmg"
hdiutil create -quiet -ov -volname NoteEval -srcfolder "$work" -format UDZO "$image"
rm -rf "$work"
if [ -n "${NOTEEVAL_NOTARY:-}" ]; then
    xcrun notarytool submit "$image" --keychain-profile "$NOTEEVAL_NOTARY" --wait
    xcrun stapler staple "$image"
fi
